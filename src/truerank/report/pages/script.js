"use strict";
// Sorts, filters, chooses a measure and a baseline, opens topics, and keeps all of that in the address. Everything it
// shows stands in the page already, but for differences from other baselines; names are only ever put in as text.
(() => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const data = JSON.parse(document.getElementById("data").textContent);
  const controls = document.getElementById("controls");
  const find = document.getElementById("find");
  const status = document.getElementById("status");
  const SVG = "http://www.w3.org/2000/svg";

  const numbers = (text) => {
    const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
    return new Int16Array(bytes.buffer);
  };
  const NONE = -32768;

  // Measures: a part that is about another one is hidden.
  const measure = document.getElementById("measure");
  const chooseMeasure = () => {
    const chosen = String(measure ? measure.selectedIndex : 0);
    for (const part of all("[data-measure]")) part.hidden = part.dataset.measure !== chosen;
    for (const title of all("[data-measure] > h3")) title.hidden = true;
  };

  // Sorting: by numbers where a cell begins with one, else by text; what is empty comes last either way.
  const key = (cell) => {
    const text = cell.textContent.trim();
    const found = text.match(/^[<]?([+\-\u2212]?[\d,]*\.?\d+)/);
    return text === "" || text === "undefined" ? null : found ? Number(found[1].replace(/,/g, "").replace("\u2212", "-")) : text;
  };
  const compare = (a, b) => {
    if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
    return typeof a === "number" ? -1 : 1;
  };
  const sort = (table, place, down) => {
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => ({ row, key: key(row.cells[place]) }));
    rows.sort((a, b) => {
      if (a.key === null || b.key === null) return (a.key === null) - (b.key === null);
      return down ? compare(b.key, a.key) : compare(a.key, b.key);
    });
    body.append(...rows.map((one) => one.row));
    if (table.dataset.few) fewer(table, find?.value.trim());
    for (const head of table.tHead.rows[0].cells) head.removeAttribute("aria-sort");
    table.tHead.rows[0].cells[place].setAttribute("aria-sort", down ? "descending" : "ascending");
    sorted.set(table, `${place}${down ? "-" : "+"}`);
  };
  const sorted = new Map();
  for (const table of all("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((head, place) => {
      if (head.classList.contains("drawn") || !head.textContent.trim()) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const now = head.getAttribute("aria-sort");
        sort(table, place, now ? now === "ascending" : head.classList.contains("n"));
        remember();
      });
    });
  }

  // A long table shows its first rows until all are asked for; what is found is shown wherever it is.
  const every = new Set();
  const fewer = (table, whole) => {
    const rows = [...table.tBodies[0].rows];
    const most = whole || every.has(table) ? rows.length : Number(table.dataset.few);
    rows.forEach((row, at) => row.classList.toggle("later", at >= most));
    const told = table.parentElement.querySelector(".shown");
    if (told) told.hidden = most >= rows.length;
  };
  for (const table of all("table[data-few]")) {
    const told = document.createElement("p");
    told.className = "below shown";
    told.append(`${table.dataset.few} of ${table.tBodies[0].rows.length} runs shown. `);
    const button = document.createElement("button");
    button.type = "button";
    button.className = "more";
    button.textContent = "Show all";
    button.addEventListener("click", () => { every.add(table); fewer(table, true); });
    told.append(button);
    table.after(told);
  }

  // Finding: rows of runs by the run, topics by the topic; what finds nothing of one kind leaves that kind alone.
  const named = (of) => [
    ...all(`table[data-of="${of}"] tbody tr`).map((row) => [row, row.querySelector("th")?.textContent ?? ""]),
    ...all(`[data-${of}]`).map((part) => [part, part.dataset[of]]),
  ];
  const filter = () => {
    const wanted = find.value.trim().toLowerCase();
    const told = [];
    for (const of of ["run", "topic"]) {
      const parts = named(of);
      const hit = (name) => name.toLowerCase().includes(wanted);
      const every = new Set(parts.map(([, name]) => name));
      const found = [...every].filter(hit).length;
      for (const [part, name] of parts) part.hidden = found > 0 && !hit(name);
      if (wanted && found) told.push(`${found} of ${every.size} ${of}${every.size === 1 ? "" : "s"}`);
    }
    for (const table of all("table[data-few]")) fewer(table, wanted !== "");
    status.textContent = wanted ? told.join(", ") || "nothing found" : "";
  };
  find?.addEventListener("input", filter);
  controls.addEventListener("submit", (event) => event.preventDefault());

  // Differences from another baseline.
  const baseline = document.getElementById("baseline");
  const fixed = (value, digits, sign) => {
    const text = (value / 10 ** digits).toFixed(digits);
    return sign && value > 0 ? `+${text}` : text;
  };
  const bar = (value, low, high, [from, to], kind, ticks) => {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("class", `bar ${kind}`.trim());
    svg.setAttribute("aria-hidden", "true");
    const at = (x) => Math.round(1000 * Math.min(1, Math.max(0, (x - from) / (to - from)))) / 10;
    const add = (name, attributes) => {
      const part = document.createElementNS(SVG, name);
      for (const [key, is] of Object.entries(attributes)) part.setAttribute(key, is);
      svg.append(part);
    };
    const line = (x, kind) => add("line", { class: kind, x1: `${at(x)}%`, x2: `${at(x)}%`, y1: 0, y2: 28 });
    for (const tick of ticks) line(tick, "tick");
    line(0, "zero");
    if (low !== NONE && high !== NONE) {
      add("rect", { x: `${at(low)}%`, width: `${Math.max(0, at(high) - at(low))}%`, y: 9, height: 10, rx: 2 });
    }
    add("rect", { class: "at", x: `${at(value)}%`, y: 5, height: 18, width: 3 });
    return svg;
  };
  const steps = ([from, to]) => {
    const rough = (to - from) / 4;
    const unit = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((times) => times * unit).find((one) => one >= rough);
    const found = [];
    for (let at = Math.ceil(from / step); at * step <= to; at++) found.push(at * step);
    return found;
  };
  const axis = (head, ticks, [from, to], digits) => {
    const svg = head.querySelector(".axis");
    if (!svg) return;
    svg.replaceChildren(...ticks.map((tick) => {
      const text = document.createElementNS(SVG, "text");
      text.setAttribute("x", `${(100 * (tick - from)) / (to - from)}%`);
      text.setAttribute("y", "11");
      text.textContent = String(Number((tick / 10 ** digits).toPrecision(6)));
      return text;
    }));
  };
  const KINDS = { better: "better", worse: "worse", best: "best" };
  const chooseBaseline = () => {
    for (const [name, table] of Object.entries(data.tables)) {
      if (!table.pairs) continue;
      const place = baseline.value === "" ? table.best : data.baselines.indexOf(baseline.value);
      const shown = document.getElementById(name);
      const values = numbers(table.pairs);
      const width = table.fields;
      const scale = table.scales[place];
      const ticks = steps(scale);
      const rows = table.runs.map((run, at) => {
        const start = (place * table.runs.length + at) * width;
        const [difference, low, high, p, wins, losses, verdict] = values.subarray(start, start + width);
        const row = document.createElement("tr");
        const cell = (content, kind = "") => {
          const made = document.createElement("td");
          if (kind) made.className = kind;
          made.append(content);
          row.append(made);
        };
        cell(String(at + 1), "n");
        const head = document.createElement("th");
        head.scope = "row";
        head.textContent = run;
        row.append(head);
        cell(table.means[at], "n");
        if (p === NONE) {
          cell(bar(0, NONE, NONE, scale, KINDS[table.titles[at]] ?? "", ticks));
          for (let blank = 0; blank < 4; blank++) cell("");
          cell(table.titles[at], KINDS[table.titles[at]] ?? "quiet");
          return row;
        }
        const word = table.verdicts[verdict];
        const kind = KINDS[word] ?? "quiet";
        cell(bar(difference, low, high, scale, kind, ticks));
        cell(fixed(difference, table.digits, true), "n");
        cell(low === NONE ? "" : `[${fixed(low, table.digits, true)}, ${fixed(high, table.digits, true)}]`, "n");
        cell(table.p[p], "n");
        cell(`${wins}:${losses}`, "n");
        cell(word, kind);
        return row;
      });
      shown.tBodies[0].replaceChildren(...rows);
      reveal(shown);
      const heads = [...shown.tHead.rows[0].cells];
      for (const head of heads) head.removeAttribute("aria-sort");
      const drawn = heads.find((head) => head.classList.contains("drawn"));
      drawn.querySelector("span").textContent = `difference from ${baseline.value || "the best"}`;
      axis(drawn, ticks, scale, table.digits);
      sorted.delete(shown);
    }
    filter();
  };

  // The address: a place of the page, or what was chosen, as in #measure=AP&baseline=bm25&sort=leaderboard-0:2-.
  const usual = new Map([measure, baseline].filter(Boolean).map((one) => [one, one.value]));
  const remember = () => {
    const state = new URLSearchParams();
    for (const [control, value] of usual) if (control.value !== value) state.set(control.id, control.value);
    for (const [table, order] of sorted) state.append("sort", `${table.id}:${order}`);
    for (const part of all("details.fold[open]")) state.append("open", part.id);
    const text = String(state);
    const [single, ...others] = state.entries();
    // One topic alone has the shortest address.
    const short = single && !others.length && single[0] === "open" ? encodeURIComponent(single[1]) : text;
    if (text || location.hash.includes("=")) history.replaceState(null, "", `#${short}`);
  };
  const choose = (control, value) => {
    if (control && value !== null && [...control.options].some((one) => one.value === value)) control.value = value;
  };
  const recall = () => {
    const state = new URLSearchParams(location.hash.slice(1));
    choose(measure, state.get("measure"));
    choose(baseline, state.get("baseline"));
    chooseMeasure();
    if (baseline && baseline.value !== usual.get(baseline)) chooseBaseline();
    for (const one of state.getAll("sort")) {
      const [, name, place, way] = one.match(/^(.*):(\d+)([+-])$/) ?? [];
      const table = name && document.getElementById(name);
      if (table?.tHead?.rows[0].cells[place]) sort(table, Number(place), way === "-");
    }
    for (const name of state.getAll("open")) reveal(document.getElementById(name));
  };
  const reveal = (part) => {
    for (let one = part; one; one = one.parentElement) if (one.tagName === "DETAILS") one.open = true;
  };

  // Topics: a link opens the one that it leads to.
  const open = () => {
    const name = location.hash.includes("=") ? "" : decodeURIComponent(location.hash.slice(1));
    const part = name && document.getElementById(name);
    if (!part) return;
    reveal(part);
    const inside = part.querySelector(":scope > details");
    if (inside) inside.open = true;
    part.scrollIntoView();
  };
  window.addEventListener("hashchange", open);
  for (const link of all('a[href^="#"]')) link.addEventListener("click", () => setTimeout(open));
  for (const part of all("details.fold")) part.addEventListener("toggle", remember);

  // What a row of a heat map has at the pointer.
  const tip = document.createElement("div");
  tip.id = "tip";
  tip.hidden = true;
  document.body.append(tip);
  for (const [name, table] of Object.entries(data.tables)) {
    if (!table.cells) continue;
    const shown = document.getElementById(name);
    const values = numbers(table.cells);
    const rowOf = new Map([...shown.tBodies[0].rows].map((row, at) => [row, at]));
    shown.addEventListener("pointermove", (event) => {
      const svg = event.target.closest("svg.row");
      tip.hidden = !svg;
      if (!svg) return;
      const box = svg.getBoundingClientRect();
      const at = Math.min(table.runs.length - 1, Math.floor((table.runs.length * (event.clientX - box.left)) / box.width));
      const value = values[rowOf.get(svg.closest("tr")) * table.runs.length + at];
      const topic = svg.closest("tr").querySelector("th").textContent;
      tip.textContent = `${topic} \u00b7 ${table.runs[at]} \u00b7 ${value === NONE ? "undefined" : fixed(value, table.digits)}`;
      tip.style.left = `${Math.min(event.clientX + 12, innerWidth - 260)}px`;
      tip.style.top = `${event.clientY + 14}px`;
    });
    shown.addEventListener("pointerleave", () => { tip.hidden = true; });
    shown.addEventListener("click", (event) => {
      const svg = event.target.closest("svg.row");
      if (svg) svg.closest("tr").querySelector("a")?.click();
    });
  }

  measure?.addEventListener("change", () => { chooseMeasure(); filter(); remember(); });
  baseline?.addEventListener("change", () => { chooseBaseline(); remember(); });
  controls.hidden = !controls.querySelector("input, select");
  for (const table of all("table[data-few]")) fewer(table, false);
  recall();
  open();
})();

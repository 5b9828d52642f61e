"use strict";
// Sorts, filters, chooses a measure and a baseline, opens topics. Everything it shows stands in the page already, but
// for differences from other baselines; names are only ever put in as text.
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
    const chosen = measure ? measure.value : "0";
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
    for (const head of table.tHead.rows[0].cells) head.removeAttribute("aria-sort");
    table.tHead.rows[0].cells[place].setAttribute("aria-sort", down ? "descending" : "ascending");
  };
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
      });
    });
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
  const strip = (value, low, high, [from, to]) => {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("class", "strip");
    svg.setAttribute("viewBox", "0 0 160 14");
    svg.setAttribute("aria-hidden", "true");
    const at = (x) => Math.round(160 * Math.min(1, Math.max(0, (x - from) / (to - from))));
    const add = (name, attributes) => {
      const part = document.createElementNS(SVG, name);
      for (const [key, is] of Object.entries(attributes)) part.setAttribute(key, is);
      svg.append(part);
    };
    add("path", { class: "zero", d: `M${at(0)} 0V14` });
    if (low !== NONE && high !== NONE) add("path", { d: `M${at(low)} 7H${at(high)}` });
    add("circle", { cx: at(value), cy: 7, r: 3 });
    return svg;
  };
  const chooseBaseline = () => {
    for (const [name, table] of Object.entries(data.tables)) {
      if (!table.pairs) continue;
      const place = Number(baseline.value);
      const shown = document.getElementById(name);
      const values = numbers(table.pairs);
      const width = table.fields;
      const body = shown.tBodies[0];
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
        const head = document.createElement("th");
        head.scope = "row";
        head.textContent = run;
        row.append(head);
        cell(table.means[at], "n");
        if (p === NONE) {
          row.className = "baseline";
          for (let blank = 0; blank < 5; blank++) cell("");
          cell("baseline");
          return row;
        }
        cell(fixed(difference, table.digits, true), "n");
        cell(strip(difference, low, high, table.scale));
        cell(low === NONE ? "" : `${fixed(low, table.digits, true)} ${fixed(high, table.digits, true)}`, "n");
        cell(table.p[p], "n");
        cell(`${wins}:${losses}`, "n");
        cell(table.verdicts[verdict], table.verdicts[verdict]);
        return row;
      });
      body.replaceChildren(...rows);
      for (const head of shown.tHead.rows[0].cells) head.removeAttribute("aria-sort");
      shown.caption.firstChild.textContent = `${table.said} ${data.baselines[place]}`;
    }
    filter();
  };

  // Topics: a link opens the one that it leads to.
  const open = () => {
    const name = decodeURIComponent(location.hash.slice(1));
    const part = name && document.getElementById(name);
    if (!part) return;
    for (let one = part; one; one = one.parentElement) if (one.tagName === "DETAILS") one.open = true;
    const inside = part.querySelector(":scope > details");
    if (inside) inside.open = true;
    part.scrollIntoView();
  };
  window.addEventListener("hashchange", open);
  for (const link of all('a[href^="#"]')) link.addEventListener("click", () => setTimeout(open));

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

  // On paper everything is open.
  const closed = [];
  window.addEventListener("beforeprint", () => {
    for (const part of all("details:not([open])")) { closed.push(part); part.open = true; }
  });
  window.addEventListener("afterprint", () => { for (const part of closed.splice(0)) part.open = false; });

  measure?.addEventListener("change", () => { chooseMeasure(); filter(); });
  baseline?.addEventListener("change", chooseBaseline);
  controls.hidden = !controls.querySelector("input, select");
  chooseMeasure();
  open();
})();

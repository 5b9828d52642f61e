"""The stopping rules by name, and a rule from its file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import MISSING, fields
from typing import Any

from truerank.data.errors import InputError, about
from truerank.data.printing import brief
from truerank.questions.stop.learned import LearnedRule
from truerank.questions.stop.rule import KIND, VERSION, Fit, Rule
from truerank.questions.stop.thresholds import FixedRule, GapRule, TailRule, ThresholdRule

RULES: dict[str, type[Rule]] = {rule.name: rule for rule in (FixedRule, ThresholdRule, GapRule, TailRule, LearnedRule)}
LARGEST = 10**18
"""The largest number that is told of what a rule was fitted to."""
LONGEST = 64 << 20
"""Bytes of the file of a rule: one that is learned from lists of a million documents has some thousand."""


def rules_of(rules: str | Rule | Iterable[str | Rule]) -> dict[str, type[Rule] | Rule]:
    """Rules by name: those to be fitted by their names, in a text or one by one, and those that are ready.

    A text that ends with .json is the file of a rule that is ready.

    >>> [*rules_of(["fixed gap", FixedRule(k=3)])]
    ['fixed', 'gap', 'fixed(k=3)']
    """
    several = [rules] if isinstance(rules, (str, Rule)) else [*rules]
    found: dict[str, type[Rule] | Rule] = {}
    for given in several:
        one = load_rule(given) if isinstance(given, str) and given.endswith(".json") else given
        if isinstance(one, Rule):
            name = str(one)
            found[name if name not in found else f"{name}#{len(found)}"] = one
        elif isinstance(one, str):
            found.update((name, rule_of(name)) for name in one.split())
        else:
            raise InputError(f"{one!r:.40} is no rule; take one of {', '.join(RULES)}, or what load_rule returns")
    if not found:
        raise InputError(f"no rule given; take some of {', '.join(RULES)}")
    return found


def rule_of(name: str) -> type[Rule]:
    """The kind of rule that has a name."""
    if name not in RULES:
        raise InputError(f"there is no rule {brief(name)}; take one of {', '.join(RULES)}")
    return RULES[name]


def load_rule(path: str | os.PathLike[str]) -> Rule:
    """Read a rule that ``Rule.save`` has written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     FixedRule(k=10).save(f"{folder}/rule.json")
    ...     load_rule(f"{folder}/rule.json")
    FixedRule(k=10)
    """
    with about(os.fspath(path)):
        try:
            with open(path, "rb") as opened:
                content = opened.read(LONGEST + 1)
        except OSError as error:
            raise InputError(f"not readable ({error.strerror}); give the file of a rule") from None
        if len(content) > LONGEST:
            raise InputError(f"a rule is no longer than {LONGEST >> 20} MiB; give the file of a rule")
        try:
            document = json.loads(content)
        except (ValueError, RecursionError):
            raise InputError("this is no JSON; give a file that truerank stop fit has saved") from None
        return _rule(document)


def _rule(document: Any) -> Rule:
    if not isinstance(document, dict) or document.get("truerank") != KIND:
        raise InputError("this is no stopping rule; give a file that truerank stop fit has saved")
    if (version := document.get("version")) != VERSION:
        raise InputError(f"this rule is of version {brief(version)}, and version {VERSION} is read here; fit it again")
    name, given = document.get("rule"), document.get("parameters")
    if not isinstance(name, str) or not isinstance(given, dict):
        raise InputError("a rule has a name and parameters, and this one lacks them; fit it again")
    kind = rule_of(name)
    wanted = {one.name: one.default is MISSING for one in fields(kind) if one.name != "fitted"}
    for parameter in given:
        if parameter not in wanted:
            raise InputError(f"{name} has no parameter {brief(parameter)}; it has {', '.join(wanted)}")
    for parameter, needed in wanted.items():
        if needed and parameter not in given:
            raise InputError(f"{name} has a parameter {parameter!r}, which is not there; fit the rule again")
    return kind(fitted=_fitted(document.get("fitted")), **{key: _number(value) for key, value in given.items()})


def _number(value: Any) -> Any:
    """Numbers without bound, which JSON has no word for, are text."""
    return float(value) if value in ("inf", "-inf") else value


def _fitted(given: Any) -> Fit | None:
    """What the rule was fitted to; only told to people, so what is not there is not missed."""
    words, numbers = ("measure", "run"), ("topics", "mean", "whole", "oracle")
    if not isinstance(given, dict) or not all(isinstance(given.get(name), str) for name in words):
        return None
    if not all(isinstance(given.get(name), (int, float)) and abs(given[name]) <= LARGEST for name in numbers):
        return None
    higher = given.get("higher_is_better")
    return Fit(
        **{name: given[name] for name in (*words, *numbers)},
        higher_is_better=higher if isinstance(higher, bool) else None,
    )

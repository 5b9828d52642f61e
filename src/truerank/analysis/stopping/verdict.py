"""What a comparison of stopping rules comes to, in words."""

from __future__ import annotations

from truerank.analysis.stopping.outcomes import ALPHA, Comparison
from truerank.statistics.pairs import EQUAL

DIGITS = 4


def helping(found: Comparison, alpha: float = ALPHA) -> list[str]:
    """The rules that are better than not truncating by more than chance, the best first."""
    return [rule for rule in found.ranking if found.effect(rule, alpha) > 0]


def verdict(found: Comparison, alpha: float = ALPHA) -> str:
    """Whether the rules help, which does most, and whether looking at scores is worth it."""
    whole, oracle = f"{found.mean_whole:.{DIGITS}f}", f"{found.mean_oracle:.{DIGITS}f}"
    if found.room <= EQUAL:
        return f"no list gains by being cut, {whole} as it is: there is nothing for a rule to learn"
    helps = helping(found, alpha)
    top = (helps or found.ranking)[0]
    mean, p = f"{found[top].mean:.{DIGITS}f}", shown_p(found[top].p_whole)
    if helps:
        text = (
            f"{top} does most, from {whole} as it is to {mean}, where the best cuts have {oracle}: "
            f"{found.share(top):.0%} of the possible improvement ({p}){_beyond_fixed(found, helps, alpha)}"
        )
        if found[top].p_oracle >= alpha:
            text += f"; what is left to the best cuts may be chance ({shown_p(found[top].p_oracle)})"
    else:
        text = (
            f"no rule is better than not truncating by more than chance: {whole} as it is, {mean} with {top}, the "
            f"best of them ({p}), where the best cuts have {oracle}"
        )
    harms = [rule for rule in found.ranking if found.effect(rule, alpha) < 0]
    if harms:
        are = "is" if len(harms) == 1 else "are"
        text += f"; {', '.join(harms)}, fitted to other topics, {are} worse than not truncating"
    return text


def _beyond_fixed(found: Comparison, helps: list[str], alpha: float) -> str:
    """Whether a rule that looks at scores is better than one that does not."""
    if all(one.p_fixed is None for one in found.values()):
        return ""
    better = [f"{rule} ({shown_p(found[rule].p_fixed)})" for rule in helps if found.beats_fixed(rule, alpha)]
    if better:
        return f"; better than a fixed length: {', '.join(better)}"
    return "; none that looks at scores is better than a fixed length by more than chance"


def shown_p(p: float | None) -> str:
    """A p-value in words.

    >>> shown_p(0.0001), shown_p(0.25)
    ('p < 0.001', 'p = 0.250')
    """
    return "" if p is None else "p < 0.001" if p < 0.001 else f"p = {p:.3f}"

"""Output of `binade lm`: the table, and a page with charts in one HTML file."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from typing import Any

from ._binade import PAGE_STYLE
from ._lm_choose_torch import Blamed, Found
from ._lm_evaluate_torch import Result

_HEADS = ("perplexity", "±", "KL mean", "KL p99", "top-1", "bits/weight", "seconds")


def number(x: float, digits: int = 4) -> str:
    """A number for people; `-` for one that does not exist."""
    if x != x:
        return "nan"
    if x == 0:
        return "0"
    if math.isinf(x):
        return "inf"
    if x != 0 and (abs(x) < 10.0 ** (1 - digits) or abs(x) >= 10.0 ** (digits + 3)):
        return f"{x:.{digits - 2}e}"
    return f"{x:.{max(0, digits - 1 - (math.floor(math.log10(abs(x))) if x else 0))}f}"


def cells(result: Result) -> list[str]:
    """The columns of a row after its name."""
    agreement = result.top1_agreement
    return [
        number(result.perplexity),
        number(result.perplexity_error, 2),
        number(result.kl_mean, 3),
        number(result.kl_p99, 3),
        "nan" if agreement != agreement else f"{100 * agreement:.1f}%",
        "-" if result.bits != result.bits else f"{result.bits:.2f}",
        f"{result.seconds:.1f}",
    ]


def table(name: str, rows: Sequence[tuple[str, Result]]) -> str:
    """A table with a column of names, and numbers to the right."""
    lines = [[name, *_HEADS], *([text, *cells(result)] for text, result in rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(lines[0]))]
    shown = [
        "  ".join([line[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:]))]).rstrip()
        for line in lines
    ]
    return "\n".join(shown) + "\n"


def notes(results: Sequence[Result], windows: int) -> list[str]:
    """Sentences about rows with numbers that are not finite, products that were left, and windows that are missing."""
    said = []
    for result in results:
        if result.not_finite:
            first, count = next(iter(result.not_finite.items()))
            more = len(result.not_finite) - 1
            others = f", then in {more} more layer{'s' if more > 1 else ''}" if more else ""
            said.append(f"{result.row.text}: infinities or NaN, first {count:,} in the output of {first}{others}")
        if result.left:
            some = ", ".join(list(result.left)[:3])
            said.append(f"{result.row.text}: no product of {some} was computed: the model did not run it, or PyTorch did")
        if len(result.windows) < windows:
            said.append(f"{result.row.text}: {len(result.windows)} of {windows} windows are done")
    return said


def report(
    facts: dict[str, Any], command: str, rows: Sequence[Result], blamed: Sequence[Blamed], found: Found | None, said: Sequence[str]
) -> str:
    """The page."""
    body = [f"<h1>{_text(str(facts['model']))} in narrow formats</h1>"]
    body.append(
        f"<p>Perplexity of <code>{_text(str(facts['text']))}</code> in {facts['windows']} tokens, and the divergence of predictions from "
        "those of the model as it is, in nats. Lower is better for all but the agreement of most probable tokens (top-1).</p>"
    )
    reference = next((row for row in rows if row.row.is_reference), None)
    cards = [(f"{facts['weights'] / 1e6:,.0f} M", "weights"), (f"{100 * facts['linear_weights'] / facts['weights']:.0f}%", "in linear layers")]
    if reference is not None:
        cards.insert(0, (number(reference.perplexity), "perplexity as it is"))
    worst = max((row for row in rows if row.kl_mean == row.kl_mean), key=lambda row: row.kl_mean, default=None)
    if worst is not None and worst.kl_mean > 0:
        cards.append((number(worst.kl_mean, 3), f"KL of {worst.row.text}, the largest"))
    body.append('<div class="cards">' + "".join(f'<div class="card"><b>{_text(n)}</b><span>{_text(t)}</span></div>' for n, t in cards) + "</div>")
    body += [f'<p class="bad">{_text(each)}</p>' for each in said]
    body.append("<h2>Rows</h2>")
    body.append(_table("row", [(row.row.text, row) for row in rows]))
    shown = [(row.row.text, row) for row in rows if row.kl_mean > 0]
    if shown:
        body.append("<h2>Divergence by row</h2>")
        body.append('<p class="quiet">Mean KL divergence per token in nats, on a logarithmic scale. The line reaches to the 99th percentile.</p>')
        body.append(_bars([(name, row.kl_mean, row.kl_p99) for name, row in shown]))
    if blamed:
        body.append("<h2>One at a time in the recipe</h2>")
        body.append('<p class="quiet">Mean KL divergence with one group of layers in the recipe and all others as they are, the costliest first.</p>')
        body.append(_bars([(each.group.pattern, each.result.kl_mean, None) for each in blamed if each.result.kl_mean > 0][:60]))
        body.append(_table("layers", [(each.group.pattern, each.result) for each in blamed]))
    if found is not None:
        body.append("<h2>The cheapest mixture within the budget</h2>")
        left = ", ".join(group.pattern for group in found.left) or "none"
        body.append(f"<p>Left as they are: <code>{_text(left)}</code>. {found.tried} mixtures were measured.</p>")
        body.append(_table("row", [(found.result.row.text, found.result)]))
    body.append(f'<p class="quiet">{_text(facts["guarantee"])}</p>')
    body.append(f"<footer>Made by <code>{_text(command)}</code></footer>")
    title = _text(f"{facts['model']} in narrow formats")
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n'
        f"<style>\n{PAGE_STYLE}</style>\n</head>\n<body>\n" + "\n".join(body) + "\n</body>\n</html>\n"
    )


def _text(text: str) -> str:
    return html.escape(text, quote=True)


def _table(name: str, rows: Sequence[tuple[str, Result]]) -> str:
    heads = "".join(f'<th class="number">{_text(head)}</th>' for head in _HEADS)
    lines = "".join(
        f'<tr><td class="name">{_text(text)}</td>' + "".join(f'<td class="number">{_text(cell)}</td>' for cell in cells(row)) + "</tr>"
        for text, row in rows
    )
    return f'<div class="scroll"><table><thead><tr><th class="name">{name}</th>{heads}</tr></thead><tbody>{lines}</tbody></table></div>'


def _bars(rows: Sequence[tuple[str, float, float | None]]) -> str:
    """Horizontal bars on a logarithmic scale."""
    finite = [x for _, mean, high in rows for x in (mean, high) if x is not None and math.isfinite(x) and x > 0]
    if not finite:
        return ""
    low, high = math.floor(math.log10(min(finite))), math.ceil(math.log10(max(finite)))
    high = max(high, low + 1)
    longest = max(len(name) for name, _, _ in rows)
    left, width, line = 16 + 15 * min(longest, 46) // 2, 960, 22
    right, bottom = width - 70, 8 + line * len(rows)

    def x(value: float) -> float:
        return left + (right - left) * min(1.0, max(0.0, (math.log10(value) - low) / (high - low)))

    parts = [f'<svg viewBox="0 0 {width} {bottom + 24}" role="img" aria-label="KL divergence by row">']
    step = max(1, (high - low) // 8)
    for power in range(low, high + 1, step):
        at = x(10.0**power)
        parts.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="4" y2="{bottom}" stroke="var(--grid)"/>')
        parts.append(f'<text x="{at:.1f}" y="{bottom + 16}" fill="var(--quiet)" text-anchor="middle">{_power(power)}</text>')
    for at, (name, mean, most) in enumerate(rows):
        y = 8 + line * at
        shown = name if len(name) <= 46 else f"{name[:22]}…{name[-22:]}"
        parts.append(f'<text x="{left - 8}" y="{y + 13}" fill="var(--ink)" text-anchor="end">{_text(shown)}<title>{_text(name)}</title></text>')
        if not (math.isfinite(mean) and mean > 0):
            parts.append(f'<text x="{left + 4}" y="{y + 13}" fill="var(--bad)">{number(mean)}</text>')
            continue
        parts.append(f'<rect x="{left}" y="{y + 3}" width="{max(1.0, x(mean) - left):.1f}" height="12" fill="var(--bar)"/>')
        end = x(mean)
        if most is not None and math.isfinite(most) and most > mean:
            end = x(most)
            parts.append(f'<line x1="{x(mean):.1f}" x2="{end:.1f}" y1="{y + 9}" y2="{y + 9}" stroke="var(--bar)" stroke-width="2"/>')
        parts.append(f'<text x="{end + 6:.1f}" y="{y + 13}" fill="var(--quiet)">{number(mean, 3)}</text>')
    return "<figure>" + "".join(parts) + "</svg></figure>"


def _power(power: int) -> str:
    return f"{10.0**power:g}" if -4 <= power <= 4 else f"1e{power}"

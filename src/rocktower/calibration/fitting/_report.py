"""The report of a fit: one page that needs nothing beside it."""

from __future__ import annotations

import base64
import io
import warnings
from html import escape
from typing import TYPE_CHECKING

from rocktower.calibration._cautions import find_cautions
from rocktower.calibration.fitting._opinion import AGREE
from rocktower.calibration.fitting._predict import IMPOSSIBLE
from rocktower.calibration.fitting._report_plots import (
    plot_checks,
    plot_data,
    plot_pairs,
    plot_parameters,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.figure import Figure

    from rocktower.calibration._record import Record
    from rocktower.calibration.fitting._fit import Fit, Parameter

__all__ = ["report_page"]

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 60rem; margin: 2rem auto;
  padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
img { max-width: 100%; } table { border-collapse: collapse; font-size: 0.9rem; }
td, th { padding: 0.2rem 0.8rem 0.2rem 0; border-bottom: 1px solid #ddd; text-align: right; }
td:first-child, th:first-child { text-align: left; }
.lead { background: #f6f1e7; border-left: 4px solid #b58e5f; padding: 0.6rem 1rem; }
.warn { background: #fbeae6; border-left: 4px solid #c8452f; padding: 0.6rem 1rem; }
"""

_NUMBERS = """<p>Intervals hold 90 % of the posterior. <em>Learned</em> is the share of the prior's
variance that the hits have taken away; a number whose deviation is still above 80 % of the prior's
is <em>not identified</em>. The model's section is two-dimensional, so these are effective values:
compare what they foretell, not the values.</p>"""
_RIDGE = """<p>A weak blow and a tower full of friction look nearly the same: the ridge. Their ratio
is known better than either. Strikes from marked heights (drop_cm) tell them apart.</p>"""
_GATE = f"""<p>Grey: replays of the recorded protocol with draws from the prior; the red line is the
record. p is how often replays are at least as far out, both tails together: below {IMPOSSIBLE} the
fit is refused.</p>"""
_PREDICTIONS = """<p>The same with draws from the posterior: a p near 0 says that the fit does not
foretell what was recorded. The colors that came out take no part in the fit.</p>"""
_OPINION = f"""<p>The fit multiplies the chances of single hits. A second method uses no network: it
takes each filling as a whole, and learns from the simulated games how the sums of its hits depend
on the numbers. Distances are in posterior deviations of the fit; up to {AGREE} they agree.</p>"""
_NO_OPINION = """<p>There is none: it needs simulated games, which the quick budget does not have.
Hits that are drawn from the network could only check the sampling of the posterior.</p>"""
_FEW_GAMES = "<p>There is none: too few games were simulated near the answer.</p>"
_COVERAGE = """<p>How often intervals hold the truth is not measured in a fit, but at simulated
owners: <code>calibration/studies/coverage</code> in the source has the numbers.
<code>rocktower calibrate HITS.csv --sbc 200</code> measures it for this design, with hits that the
network itself has made: it tests the sampling and the likelihood, and not whether the network is
right.</p>"""

LABELS = {
    "friction": ("friction", "", 1.0),
    "outlet_width": ("outlet", " mm", 1000.0),
    "grip": ("grip (0 loose, 1 held, 2 pressed)", "", 1.0),
    "speed": ("median speed of the hammer", " m/s", 1.0),
    "speed_spread": ("spread of the speed", " %", 100.0),
    "speed / friction": ("speed over friction", " m/s", 1.0),
}
"""How a number is called, its unit, and the factor from SI."""


def label_of(name: str) -> tuple[str, str, float]:
    """Return name, unit and factor of a number; speeds of further strikers are in m/s."""
    return LABELS.get(name, (name, " m/s", 1.0))


def report_page(fit: Fit, seconds: float) -> str:
    """Return the page as HTML with all pictures inside."""
    record, task = fit.task.record, fit.task
    names = "; ".join(str(group) for group in fit.design.protocol.groups)
    data = (
        f"{record.name}: {record.hits} hits, {fit.known_hits} of them known one by one; "
        f"strikers: {names}."
    )
    if len(fit.design.protocol.groups) > 1:
        data += f" The median speed is that of {fit.design.protocol.groups[0]}."
    parts = [
        f"<h1>A tower fitted to {record.hits} hits</h1>",
        *_warnings(fit),
        "<div class=lead>", *(f"<p>{escape(line)}</p>" for line in plain_words(fit)), "</div>",
        "<h2>What was learned</h2>", _parameter_table(fit.parameters), _NUMBERS,
        _picture(plot_parameters(fit), "prior and posterior of each number"),
        "<h2>Strength against friction</h2>", _RIDGE,
        _picture(plot_pairs(fit), "pairs of numbers"),
        "<h2>The data</h2>", f"<p>{escape(data)}</p>", *_weak_points(record),
        _picture(plot_data(fit), "the recorded hits and what is foretold"),
        "<h2>Could the model make such hits? (before the fit)</h2>", _GATE,
        _picture(plot_checks(fit.gate), "the record among replays of the prior"),
        "<h2>Does the fit foretell what it did not aim at?</h2>", _PREDICTIONS,
        _picture(plot_checks(fit.held_out), "the record among replays of the posterior"),
        _check_table(fit),
        "<h2>A second opinion</h2>", _opinion(fit),
        "<h2>Coverage</h2>", f"<p>{escape(fit.widening.told(record.hits))}</p>", _COVERAGE,
        "<h2>Cost and versions</h2>", _cost_table(fit, seconds),
    ]  # fmt: skip
    title = escape(f"{task.base.name}: {record.name}")
    head = f'<meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
    return f"<!doctype html><html lang=en><head>{head}</head><body>{''.join(parts)}</body></html>\n"


def plain_words(fit: Fit) -> tuple[str, ...]:
    """Say in plain words what was learned and what was not."""
    known = [p for p in fit.parameters if p.is_identified]
    unknown = [p for p in fit.parameters if not p.is_identified]
    lines = []
    if known:
        told = "; ".join(f"{label_of(p.name)[0]} {_value(p)}" for p in known)
        lines.append(f"Learned: {told} (90 % intervals).")
    else:
        lines.append("Nothing was learned: the posterior is hardly narrower than the prior.")
    if unknown:
        told = ", ".join(label_of(p.name)[0] for p in unknown)
        lines.append(f"Not identified, these hits say hardly more than the prior: {told}.")
    ratio = fit.parameters[-1]
    if ratio.is_identified and ratio.contraction == max(p.contraction for p in fit.parameters):
        lines.append(
            "How hard the blow is over how much the tower resists is learned best "
            f"({100 * ratio.contraction:.0f} % of what was open)."
        )
    if weak := len(find_cautions(fit.task.record)):
        points = "a weak point" if weak == 1 else f"{weak} weak points"
        lines.append(f"The record has {points}: the report and rocktower check say which.")
    if fit.second and max(map(abs, fit.apart)) <= AGREE:
        lines.append("A second method, which takes each filling as a whole, agrees.")
    elif not fit.second:
        lines.append("There is no second opinion on this.")
    lines.append(fit.widening.told(fit.task.record.hits))
    if not fit.simulated_hits:
        lines.append(
            "This fit rests on the shipped network alone. With --budget normal the tower is "
            "simulated near the answer."
        )
    return tuple(lines)


def _value(p: Parameter) -> str:
    _, unit, factor = label_of(p.name)
    return f"{p.mean * factor:.3g} ({p.low * factor:.3g} to {p.high * factor:.3g}){unit}"


def _warnings(fit: Fit) -> list[str]:
    if not fit.trouble:
        return []
    lines = (f"<p>{escape(line)}</p>" for line in fit.trouble)
    return ["<div class=warn><p><strong>Do not trust this blindly.</strong></p>", *lines, "</div>"]


def _weak_points(record: Record) -> list[str]:
    lines = "".join(f"<li>{escape(str(caution))}</li>" for caution in find_cautions(record))
    return [f"<p>Its weak points:</p><ul>{lines}</ul>"] if lines else []


def _parameter_table(parameters: Sequence[Parameter]) -> str:
    return _table(
        ("", "mean", "90 % interval", "learned", ""),
        (
            (
                label_of(p.name)[0],
                f"{p.mean * label_of(p.name)[2]:.3g}{label_of(p.name)[1]}",
                f"{p.low * label_of(p.name)[2]:.3g} to {p.high * label_of(p.name)[2]:.3g}",
                f"{100 * max(p.contraction, 0.0):.0f} %",
                "" if p.is_identified else "not identified",
            )
            for p in parameters
        ),
    )


def _check_table(fit: Fit) -> str:
    rows = (
        (c.name, kind, c.seen, f"{c.bounds[0]:.3g} to {c.bounds[1]:.3g}", f"{c.p:.2f}")
        for kind, checks in (("fitted", fit.fitted), ("not fitted", fit.held_out))
        for c in checks
    )
    return _table(("", "", "record", "95 % of replays", "p, both tails"), rows)


def _opinion(fit: Fit) -> str:
    if not fit.second:
        return _FEW_GAMES if fit.simulated_hits else _NO_OPINION
    rows = (
        (
            label_of(first.name)[0], _value(first), _value(second), f"{apart:+.2f}",
            "" if abs(apart) <= AGREE else "disagrees",
        )
        for first, second, apart in zip(fit.parameters, fit.second, fit.apart, strict=True)
    )  # fmt: skip
    return _OPINION + _table(("", "fit", "second opinion", "distance", ""), rows)


def _cost_table(fit: Fit, seconds: float) -> str:
    chain, note = fit.chain, fit.network.note
    rows = [
        ("budget", fit.task.budget),
        ("hits simulated for this fit", f"{fit.simulated_hits:,}"),
        ("hits that the network began with", f"{note.get('hits', 0):,}"),
        ("time", f"{seconds:.0f} s"),
        ("chain", f"{chain.walkers} walkers, {chain.steps} steps after {chain.burnt}"),
        ("acceptance", f"{chain.acceptance:.2f}"),
        ("autocorrelation time", f"{chain.autocorrelation.max():.0f} steps"),
        ("worth", f"{chain.effective:.0f} independent draws"),
        ("R-hat, the largest", f"{chain.r_hat.max():.3f}"),
        *((name, str(value)) for name, value in fit.task.fingerprint().items()),
    ]
    return _table(("", ""), rows)


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    def line(tag: str, cells: Sequence[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    return "<table>" + line("th", header) + "".join(line("td", row) for row in rows) + "</table>"


def _picture(figure: Figure, alt: str) -> str:
    content = io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # a name in letters that the font lacks
        figure.savefig(content, format="png", dpi=110)
    data = base64.b64encode(content.getvalue()).decode()
    return f'<p><img alt="{escape(alt)}" src="data:image/png;base64,{data}"></p>'

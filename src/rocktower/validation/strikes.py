"""Do strikes break arches without preventing them? A plain hopper, and the default tower."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from rocktower.statistics import Interval, difference, mean, share
from rocktower.tower import Strike, TowerModel
from rocktower.validation._study import Check, Findings, Lab, Study

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from matplotlib.figure import Figure

    from rocktower.tower import Side, TowerState

__all__ = ["HOPPER", "TOWER", "full_tower", "plain_hopper", "quotient", "strike_until_released"]

_SPEEDS = (0.5, 1.0, 2.0, 4.0)  # m/s, of the hammer
_COMPARED = (1.0, 2.0)  # the two strengths whose releases are compared
_PULSE_SPEED = 2.0  # m/s
_MOST = 10  # strikes until one gives up
_HEIGHT = 0.55  # of the tower: where it is struck
_FINE_STEP = 1e-4  # s: resolves pulses of 0.3 and 1 ms


def plain_hopper() -> TowerModel:
    """Return the default tower without its levels, with an outlet a little wider."""
    model = TowerModel.load()
    return replace(model, geometry=replace(model.geometry, levels=(), outlet_width=0.0275))


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of one filling, struck from the same state at every strength.

    Parameters
    ----------
    without_blow
        Boulders that left when nothing was struck.
    strikes
        By speed: which strike was the first that released something; 0 if none did.
    released
        By speed: how many boulders that strike released.
    """

    without_blow: int
    strikes: tuple[int, ...]
    released: tuple[int, ...]


def _strike(model: TowerModel, speed: float, side: Side) -> Strike:
    return Strike(side, speed, _HEIGHT * model.geometry.height)


def full_tower(model: TowerModel, rng: np.random.Generator) -> TowerState:
    """Fill until everything stays inside, which a hopper without levels does not always do."""
    while (state := model.fill(rng)).outside:
        pass
    return state


def strike_until_released(
    model: TowerModel, state: TowerState, speed: float, side: Side
) -> tuple[int, int]:
    """Return which strike was the first that released something, and how much; 0, 0 if none."""
    for number in range(1, _MOST + 1):
        result = model.strike(state, _strike(model, speed, side))
        state = result.state
        if result.hit.boulders:
            return number, len(result.hit)
    return 0, 0


def _try(model: TowerModel, rng: np.random.Generator) -> Trial:
    """Fill, and strike until something falls."""
    full = full_tower(model, rng)
    side: Side = "left" if rng.random() < 0.5 else "right"
    without = model.strike(full, _strike(model, 0.0, side))
    firsts = [strike_until_released(model, full, speed, side) for speed in _SPEEDS]
    strikes, released = zip(*firsts, strict=True)
    return Trial(len(without.hit), strikes, released)


def _pulses(model: TowerModel, rng: np.random.Generator) -> tuple[int, int]:
    """Strike with equal impulses of 0.3 and 1 ms at a step that resolves them."""
    full = full_tower(model, rng)
    fine = replace(model, solver=replace(model.solver, time_step=_FINE_STEP))
    out = []
    for contact_time in (0.3e-3, 1e-3):
        hammer = replace(model.hammer, contact_time=contact_time)
        struck = replace(fine, hammer=hammer)
        out.append(len(struck.strike(full, _strike(model, _PULSE_SPEED, "left")).hit))
    return out[0], out[1]


def _answer(lab: Lab, model: TowerModel, name: str, fillings: int, pulses: int) -> Findings:
    trials = lab.trials(partial(_try, model), fillings, f"{name}: strikes")
    pairs = lab.trials(partial(_pulses, model), pulses, f"{name}: pulses")
    n = len(trials)
    spilled = share(sum(t.without_blow > 0 for t in trials), n)
    success = [share(sum(t.strikes[k] == 1 for t in trials), n) for k in range(len(_SPEEDS))]
    releases = [
        mean([t.released[k] for t in trials if t.strikes[k]] or [float("nan")])
        for k in range(len(_SPEEDS))
    ]
    weakest = min(
        (difference(b, a) for a, b in pairwise(success)),
        key=lambda gap: gap.high,
    )
    weak, strong = (releases[_SPEEDS.index(speed)] for speed in _COMPARED)
    grown = quotient(strong, weak)
    aged = _aging(trials)
    change = mean([long - short for short, long in pairs])
    checks = [
        Check(
            f"{name}: share of zero blows that release something",
            spilled,
            "0",
            "computed",
            "none",
            spilled.value == 0.0,
        ),
        Check(
            f"{name}: share of first strikes that succeed, smallest step up the strengths",
            weakest,
            "not falling (Janda 2009; Caitano 2021)",
            "published",
            "not below 0 by more than its interval",
            weakest.high >= 0.0,
        ),
        Check(
            f"{name}: boulders of a successful strike, at {_COMPARED[1]:g} over {_COMPARED[0]:g} "
            "m/s",
            grown,
            "1: vibration breaks arches, it does not prevent them (Mankoc 2009)",
            "published",
            "0.75 to 1.25",
            0.75 <= grown.value <= 1.25,
        ),
        Check(
            f"{name}: success after two or more failures minus success of the first strike, "
            "all strengths",
            aged,
            "not rising (Guerrero 2018)",
            "published",
            "not above 0 by more than its interval",
            aged.low <= 0.0,
        ),
        Check(
            f"{name}: boulders a strike, contact of 1 ms minus 0.3 ms, equal impulse",
            change,
            "0: a blow is impulsive below 0.1 t0",
            "computed",
            "within 2 standard errors, or equal",
            abs(change.value) <= 2.0 * change.error or change.value == 0.0,
        ),
    ]
    rows: list[dict[str, Any]] = []
    for k, speed in enumerate(_SPEEDS):
        rows.append(
            {"speed_m_s": speed, "what": "first strike succeeds", **success[k].row("value")}
        )
        rows.append(
            {"speed_m_s": speed, "what": "boulders of a success", **releases[k].row("value")}
        )
        tries, wins = _by_number(trials, k)
        rows += [
            {
                "speed_m_s": speed,
                "what": f"success of strike {i + 1} after failures",
                **v.row("value"),
            }
            for i, v in enumerate(share(w, t) for w, t in zip(wins, tries, strict=True) if t)
        ]
    return Findings(
        checks, {"strikes": rows}, {"strikes": partial(_plot, name, success, releases, trials)}
    )


def quotient(above: Interval, below: Interval) -> Interval:
    """Return the quotient of two measured means."""
    value = above.value / below.value
    spread = value * ((above.error / above.value) ** 2 + (below.error / below.value) ** 2) ** 0.5
    return Interval(value, value - 1.96 * spread, value + 1.96 * spread, min(above.n, below.n))


def _by_number(trials: Sequence[Trial], k: int) -> tuple[list[int], list[int]]:
    """Return by number of the strike how many fillings were still at it, and how many gave."""
    numbers = range(1, _MOST + 1)
    firsts = [t.strikes[k] or _MOST + 1 for t in trials]
    return [sum(f >= i for f in firsts) for i in numbers], [firsts.count(i) for i in numbers]


def _aging(trials: Sequence[Trial]) -> Interval:
    """Return success of strikes 3 and later minus that of the first, at equal strength.

    Strengths are weighted by how many fillings still stood at the third strike; the sum of the
    differences then has the variance of the differences' sum.
    """
    value = variance = weight = 0.0
    total = 0
    for k in range(len(_SPEEDS)):
        tries, wins = _by_number(trials, k)
        later_tries, later_wins = sum(tries[2:]), sum(wins[2:])
        if not later_tries:
            continue
        gap = difference(share(later_wins, later_tries), share(wins[0], tries[0]))
        value += later_tries * gap.value
        variance += (later_tries * gap.error) ** 2
        weight += later_tries
        total += later_tries
    if not weight:
        return Interval(0.0, -1.0, 1.0, 0)
    half = 1.96 * variance**0.5 / weight
    return Interval(value / weight, value / weight - half, value / weight + half, total)


def _plot(
    name: str,
    success: Sequence[Interval],
    releases: Sequence[Interval],
    trials: Sequence[Trial],
) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 3.4), layout="constrained")
    axes = figure.subplots(1, 3)
    for axis, values in zip(axes, (success, releases), strict=False):
        error = [[v.value - v.low for v in values], [v.high - v.value for v in values]]
        axis.errorbar(_SPEEDS, [v.value for v in values], error, fmt="o-", ms=4, capsize=3)
        axis.set(xscale="log", xlabel="speed of the hammer (m/s)", ylim=(0, None))
        axis.set_xticks(_SPEEDS, [f"{s:g}" for s in _SPEEDS])
        axis.minorticks_off()
    axes[0].set_title("share of first strikes that release", fontsize=10)
    weak = releases[_SPEEDS.index(_COMPARED[0])].value
    axes[1].axhspan(0.75 * weak, 1.25 * weak, color="#dddddd", label="within 25 % of 1 m/s")
    axes[1].set_title("boulders of a successful strike", fontsize=10)
    axes[1].legend(fontsize=8, loc="upper left")
    for k, speed in enumerate(_SPEEDS):
        tries, wins = _by_number(trials, k)
        enough = [i for i in range(_MOST) if tries[i] >= 10]
        rates = [wins[i] / tries[i] for i in enough]
        axes[2].plot([i + 1 for i in enough], rates, "o-", ms=3, label=f"{speed:g} m/s")
    axes[2].set(xlabel="number of the strike, all before it failed", ylim=(0, 1))
    axes[2].set_title("share that succeed", fontsize=10)
    axes[2].legend(fontsize=8)
    figure.suptitle(name)
    return figure


def hopper(lab: Lab) -> Findings:
    """Strike the plain hopper."""
    return _answer(lab, plain_hopper(), "plain hopper", lab.size(300, 4), lab.size(300, 2))


def tower(lab: Lab) -> Findings:
    """Ask the default tower the same questions."""
    model = TowerModel.load()
    return _answer(lab, model, "default tower", lab.size(200, 4), lab.size(300, 2))


HOPPER = Study("strikes", "Do strikes break arches without preventing them?", hopper)
TOWER = Study("tower_strikes", "The same questions for the default tower", tower)

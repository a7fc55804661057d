"""The contact forces of states and traces: they carry the boulders, and disturb nothing."""

from __future__ import annotations

import numpy as np

from rocktower import Strike
from rocktower.tower import Contacts

STRIKE = Strike("left", 2.0, 0.18)


def force_of_the_walls(contacts: Contacts) -> np.ndarray:
    """Sum of all forces that walls and levels exert on boulders, N."""
    on_a = np.where((contacts.b == -1)[:, None], contacts.forces, 0.0)
    on_b = np.where((contacts.a == -1)[:, None], -contacts.forces, 0.0)
    return (on_a + on_b).sum(axis=0)


def weight(model, boulders) -> float:
    bodies = dict(model.all_boulders)
    return 9.81 * sum(bodies[boulder].mass for boulder in boulders)


def test_the_contacts_of_a_state_carry_its_boulders(model, full) -> None:
    contacts = model.resting_contacts(full)
    sideways, up = force_of_the_walls(contacts)
    carried = weight(model, full.inside)
    assert abs(up - carried) < 0.1 * carried
    assert abs(sideways) < 0.3 * carried  # settled, not exact: restitution and overlap work on
    assert contacts.points.shape == contacts.forces.shape == (len(contacts.a), 2)


def test_a_trace_has_the_contacts_of_every_frame_also_of_boulders_asleep(model, full) -> None:
    result = model.strike(full, STRIKE, trace=True)
    trace = result.trace
    assert len(trace.contacts) == len(trace.times)
    carried = weight(model, result.state.inside)
    for contacts in trace.contacts[-3:]:
        assert abs(force_of_the_walls(contacts)[1] - carried) < 0.1 * carried
    for contacts, poses in zip(trace.contacts, trace.boulders, strict=True):
        ends = np.concatenate((contacts.a, contacts.b))
        assert not np.isnan(poses[ends[ends >= 0], 0]).any()


def test_a_traced_strike_is_the_same_strike(model, full) -> None:
    plain, traced = model.strike(full, STRIKE), model.strike(full, STRIKE, trace=True)
    assert plain.trace is None
    assert (plain.state, plain.hit, plain.duration) == (traced.state, traced.hit, traced.duration)


def test_a_trace_without_contacts_is_the_same_otherwise(model, full) -> None:
    result, without = (
        model.strike(full, STRIKE, trace=True, contacts=contacts) for contacts in (True, False)
    )
    assert without.trace.contacts == ()
    for name in ("times", "tower", "boulders"):
        expected = getattr(result.trace, name)
        np.testing.assert_array_equal(getattr(without.trace, name), expected)
    assert (without.state, without.hit) == (result.state, result.hit)

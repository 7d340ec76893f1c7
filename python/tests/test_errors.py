# SPDX-License-Identifier: MIT
"""Errors as data: path, value and what is allowed, whichever side refuses."""
import numpy as np
import pytest

import jawari


def ball(**keys):
    return jawari.Scene(jawari.Mass(name="ball", mass_kg=1.0, velocity_m_s=1.0), duration_s=0.01, **keys)


# What is done, the path of what is wrong, its value, and the beginning of what is allowed.
misuses = [
    # refused in Python
    (lambda: jawari.Mass(name="m", mass_kg=1.0, position_m=object), "mass.position_m", "", "be a number, text"),
    (lambda: jawari.Mass(name="m", mas_kg=1.0), "mass.mas_kg", "mas_kg", "be one of name"),
    (lambda: jawari.PowerLaw(stiffness="hard", exponent=1.5), "law.stiffness", "'hard'", "be a number"),
    (lambda: jawari.tabulate(abs, -1.0), "max_m", "-1.0", "be a number above 0"),
    (lambda: jawari.Engine(ball(), channels=3), "channels", "3", "be 0, 1 or 2"),
    (lambda: jawari.Engine(ball(), threads=0), "threads", "0", "be a whole number, at least 1"),
    (lambda: jawari.Engine(ball()).load("state"), "state", "'state'", "be the bytes"),
    (lambda: ball().add(3), "scene.add", "3", "be one of Mass"),
    (lambda: jawari.compare(ball(), "two-point"), "schemes", "'two-point'", "be a list of names"),
    (lambda: jawari.sweep(3, {"mass_kg": [1.0]}), "problem", "3", "be a Scene or a function"),
    (lambda: jawari.sweep(ball(), {}), "grid", "empty", "give values for at least one parameter"),
    (lambda: jawari.sweep(ball(), {"ball.mass_kg": []}), "grid", "[]", "be a list of at least one value"),
    (lambda: jawari.uniform(2, 1), "uniform", "2 and 1", "take two finite numbers"),
    (lambda: jawari.exact.mu_v_for_restitution(2.0), "restitution", "2.000000", "lie in (0, 1]"),
    # refused in the library
    (lambda: jawari.Mass(name="m", mass_kg=-1.0), "mass[0].mass_kg", "-1", "lie in [1e-12, "),
    (lambda: jawari.Mass(name="m"), "mass[0].mass_kg", "", "lie in [1e-12, "),
    (lambda: jawari.String(name="s", length_m=0.6, radius_m=3e-4, frequency_hz=100.0, method="nodes"), "string[0].method",
     '"nodes"', "be one of"),
    (lambda: jawari.Scheme("fast"), "scheme", '"fast"', "be one of"),
    (lambda: jawari.PowerLaw(stiffness=1e6, exponent=0.5), "law.exponent", "0.5", "lie in [1, "),
    (lambda: ball(oversample=3).simulate(), "oversample", "3", "be 1, 2, 4 or 8"),
    (lambda: jawari.Scene(jawari.Mass(name="m", mass_kg=1.0), jawari.Mass(name="m", mass_kg=1.0), duration_s=0.01).simulate(),
     "mass[1].name", '"m"', "differ from all other names"),
    (lambda: ball().simulate(quality="best"), "quality", '"best"', 'be "draft", "standard" or "high"'),
]


@pytest.mark.parametrize("action, path, value, allowed", misuses, ids=[m[1] for m in misuses])
def test_errors_have_path_value_and_what_is_allowed(action, path, value, allowed):
    with pytest.raises(jawari.InputError) as e:
        action()
    error = e.value
    assert error.path == error.field == path
    if value:
        assert error.value == value
    assert error.allowed.startswith(allowed), error.allowed
    assert error.sentence and error.sentence in str(error)


def test_values_of_another_type_are_named():
    with pytest.raises(jawari.InputError) as e:
        jawari.Mass(name="m", mass_kg=np.array(["much"]))
    assert e.value.path == "mass.mass_kg" and e.value.allowed == "hold numbers"


def test_errors_of_a_plan_file_keep_what_they_are_about(tmp_path):
    from jawari.plan_file import load_plan
    plan = tmp_path / "plan.toml"
    plan.write_text("schema = 2\n")
    with pytest.raises(jawari.InputError) as e:
        load_plan(plan)
    assert (e.value.path, e.value.value, e.value.allowed) == ("schema", "2", "be 1")
    assert e.value.file == str(plan) and str(e.value).startswith(f"{plan}:1: schema is 2")

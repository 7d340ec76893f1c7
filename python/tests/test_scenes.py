# SPDX-License-Identifier: MIT
"""Scenes as data: made from tables, checked at once, written, read, pickled."""
import copy
import math
import pickle

import numpy as np
import pytest

import jawari
from conftest import same_channels
from jawari import _core
from jawari.scene import _classes, _kinds, _tables

law = jawari.PowerLaw(stiffness=1e7, exponent=1.5)
needed = {"mass": dict(name="m", mass_kg=1.0), "string": dict(name="s", length_m=1.0),
          "barrier": dict(string="s", shape="flat", law=law), "contact": dict(bodies=("m", "wall"), law=law),
          "excitation": dict(body="m"), "pickup": dict(of="m"),
          "bar": dict(name="b", length_m=0.3, width_m=0.03, thickness_m=0.01, density_kg_m3=800, young_Pa=1e10),
          "membrane": dict(name="d", density_kg_m2=0.2, radius_m=0.1, frequency_hz=100), "plate": dict(name="p", thickness_m=1e-3),
          "modal": dict(name="m", frequencies_hz=[100.0], decay_s=[1.0], masses_kg=[1.0], points={"a": [1.0]}),
          "hand": dict(name="h"), "connection": dict(bodies=("a", "b")), "friction": dict(bodies=("a", "b"), coefficient=0.1),
          "hammer": dict(name="h", target="s", mass_kg=0.01, law=law), "plectrum": dict(name="h", target="s", law=law),
          "finger": dict(name="h", target="s", law=law), "rattle": dict(name="h", target="s", mass_kg=0.01, law=law),
          "bolt": dict(name="h", target="s", mass_kg=0.01), "rubber": dict(name="h", target="s"),
          "fret": dict(name="f", string="s", position_m=0.1, law=law), "thread": dict(name="f", string="s", position_m=0.1, law=law),
          "snare": dict(name="w", target="d", length_m=0.1, tension_N=1.0, density_kg_m=1e-4, law=law),
          "event": dict(do="strike", target="h", velocity_m_s=1.0),
          "tempo": dict(bpm=90.0), "pattern": dict(strokes=[{"do": "strike", "target": "h", "velocity_m_s": 1.0}]),
          "control": dict(name="c", targets=[{"parameter": "b.height_m", "from": 0.0, "to": 1e-3}])}
numbers = [(kind, k) for kind in needed for k in _tables[kind]["keys"] if k["type"] == "number" and
           not (kind == "barrier" and k["name"] == "position_m")]


def test_every_kind_is_tested():
    assert set(_kinds) == set(needed), "say above what a new kind needs"


@pytest.mark.parametrize("kind, key", numbers, ids=lambda x: x if isinstance(x, str) else x["name"])
def test_numbers_are_checked_by_name(kind, key):
    cls, name = _classes[kind], key["name"]
    for bad in ("heavy", math.nan, math.inf, -math.inf, True, [1.0], object(), 1e300):
        with pytest.raises(ValueError, match=name):
            cls(**{**needed[kind], name: bad})
    part = cls(**needed[kind])
    before = getattr(part, name)
    with pytest.raises(ValueError, match=name):
        setattr(part, name, math.nan)
    assert getattr(part, name) == before  # a refused value changes nothing


def test_signature_and_docstring_come_from_the_table():
    doc = jawari.Mass.__doc__
    assert "mass_kg : float [kg]" in doc and "[1e-12, 1e+12]" in doc
    import inspect
    parameters = inspect.signature(jawari.Mass).parameters
    assert parameters["mass_kg"].default is inspect.Parameter.empty
    assert parameters["damper_N_s_m"].default == 0.0


def test_misspelt_and_missing_arguments():
    with pytest.raises(ValueError, match="mas_kg is not known here.*did you mean mass_kg"):
        jawari.Mass(name="m", mas_kg=1.0)
    with pytest.raises(ValueError, match="mass_kg is missing"):
        jawari.Mass(name="m")
    with pytest.raises(ValueError, match="shape"):
        jawari.Start(shape="plucked")
    with pytest.raises(ValueError, match="width_m"):
        jawari.Start(shape="bump", width_m=-1.0)
    with pytest.raises(ValueError, match="rate_hz is 1, "):
        jawari.Scene(rate_hz=1, duration_s=1)
    with pytest.raises(ValueError, match="law.exponent is 0.5"):
        jawari.PowerLaw(stiffness=1.0, exponent=0.5)
    with pytest.raises(ValueError, match="law.exponnt.*did you mean"):
        jawari.PowerLaw(stiffness=1.0, exponent=1.5, exponnt=2.0)
    with pytest.raises(ValueError, match="did you mean \"two-point\""):
        jawari.Contact(bodies=("m", "wall"), law=law, scheme="two-pont")
    with pytest.raises(ValueError, match="scheme.s is"):
        jawari.Scheme("taylor", s=math.nan)
    with pytest.raises(ValueError, match="takes parts"):
        jawari.Scene("ball", duration_s=1)


def test_input_error_knows_its_field(ball):
    ball.contacts[0].bodies = ("bal", "wall")
    with pytest.raises(jawari.InputError, match='did you mean "ball"') as e:
        ball.simulate()
    assert e.value.field == "contact[0].bodies"


def everything():
    string = jawari.String(name="s", length_m=0.7, frequency_hz=110, radius_m=3e-4, decay_s=[5, 1], decay_hz=np.array([100, 3000]),
                           start=jawari.Start(shape="pluck", position_m=0.2, height_m=1e-3))
    return jawari.Scene(
        jawari.Mass(name="m", mass_kg=0.01, position_m=-1e-3, velocity_m_s=1.0), string,
        jawari.barrier_from(lambda x: -1e-3 - (x - 0.6) ** 2, string=string, law=law, name="curved", points=101),
        jawari.Contact(bodies=["m", "s"], position_m=0.3, law=jawari.tabulate(lambda y: 1e6 * y**2, 1e-3, points=20)),
        jawari.Contact(bodies=["m", "wall"], height_m=0.01, scheme=jawari.Scheme("taylor", s=1.25),
                       law=jawari.HuntCrossley(stiffness=1e7, exponent=1.5, restitution=0.8, restitution_speed_m_s=1.0)),
        jawari.Excitation(body="m", type="file", samples_N=np.linspace(0, 1, 50), amplitude_N=2.0),
        jawari.Pickup(of="s", position_m=0.5, quantity="velocity"), duration_s=0.02, title='a "title"')


@pytest.mark.parametrize("make", [lambda s: pickle.loads(pickle.dumps(s)), copy.deepcopy, lambda s: s.copy(),
                                  lambda s: jawari.Scene.from_text(s.text())])
def test_copies_run_alike(make):
    scene = everything()
    scene.contacts[1].scheme = "two-point"  # taylor does not share an island
    other = make(scene)
    a, b = scene.simulate(), other.simulate()
    assert np.any(a.sound)
    same_channels(a.channels, a.trace, b.trace)
    other.masses[0].mass_kg = 0.5
    assert scene.masses[0].mass_kg == 0.01


def test_parts_pickle_and_compare():
    for thing in [*everything().parts, law, jawari.Scheme("taylor", s=1.0), jawari.Start(shape="mode", number=2),
                  jawari.Impact(mass_kg=1, stiffness=1e6, exponent=1.5), everything()]:
        assert pickle.loads(pickle.dumps(thing)) == thing
    assert everything() == everything() and everything() != everything().set("m.mass_kg", 1.0)


def test_repr_is_python():
    scene = everything()
    scene.barriers.clear(), scene.excitations.clear(), scene.contacts.pop(0)  # long lists are shortened
    assert eval(repr(scene), vars(jawari)) == scene


def test_saving_and_loading(tmp_path, ball):
    ball.save(tmp_path / "again.toml")
    again = jawari.load(tmp_path / "again.toml")
    assert np.array_equal(again.simulate().trace, ball.simulate().trace)
    with pytest.raises(ValueError, match=r"broken.toml:2: mass\.mass_kg"):
        (tmp_path / "broken.toml").write_text('duration_s = 1.0\n[[mass]]\nname = "a"\n')
        jawari.load(tmp_path / "broken.toml")
    with pytest.raises(ValueError, match="cannot be opened"):
        jawari.load(tmp_path / "absent.toml")


def test_files_stay_below_a_folder_if_asked(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "out.toml").write_text('duration_s = 0.01\n[[mass]]\nname = "m"\nmass_kg = 1.0\n')
    (tmp_path / "in" / "scene.toml").write_text('include = ["../out.toml"]\n')
    assert jawari.load(tmp_path / "in" / "scene.toml")
    with pytest.raises(ValueError, match="must stay below it"):
        jawari.load(tmp_path / "in" / "scene.toml", below=tmp_path / "in")


def test_files_named_by_a_scene_are_found_from_anywhere(tmp_path):
    (tmp_path / "push.txt").write_text("1.0\n2.0\n-1.0\n")
    (tmp_path / "scene.toml").write_text(
        'duration_s = 0.01\n[[mass]]\nname = "m"\nmass_kg = 1.0\n[[excitation]]\nbody = "m"\ntype = "file"\nfile = "push.txt"\n'
        '[[pickup]]\nof = "m"\n')
    scene = jawari.load(tmp_path / "scene.toml")
    assert scene.simulate().sound.any()
    assert "samples_N = [1, 2, -1]" in scene.text()


def test_paths(ball):
    assert ball.get("ball.velocity_m_s") == 20
    assert ball.set("contact[0].law.exponent", 1.7).contacts[0].law.exponent == 1.7
    assert ball.set("rate_hz", 48000).rate_hz == 48000
    for wrong in ("bal.mass_kg", "ball.mass", "contact[3].height_m", "mass_kg"):
        with pytest.raises(KeyError):
            ball.get(wrong)


def test_changes_are_seen(ball):
    first = ball.simulate().contacts[0]["largest_force_N"]
    ball.contacts[0].law.stiffness = 1e8
    assert ball.simulate().contacts[0]["largest_force_N"] < first / 2
    ball.use_scheme("secant-2")
    assert ball.simulate().contacts[0]["scheme"] == "secant-2"


def test_tables_agree_with_the_library():
    assert {t["name"] for t in _core.laws()} == {c._type for c in jawari.Law.__subclasses__()}
    for info in jawari.schemes():
        assert info["source"] and info["text"]
    assert "two-point" in jawari.schemes_for(law) and law.default_scheme() in law.schemes()
    assert "verlet" in jawari.integrators()

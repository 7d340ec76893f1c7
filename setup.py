# SPDX-License-Identifier: MIT
"""pip install .   with a package index;   pip install --no-build-isolation --no-deps .   without (docs/python/install.md).

CMake builds the compiled parts and the command line; they are put into the package.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

root = pathlib.Path(__file__).resolve().parent


class CMakeBuild(build_ext):
    def run(self) -> None:
        if "JAWARI_BUILD" in os.environ:  # a build folder that is there already: its package is taken as it is
            self.take(pathlib.Path(os.environ["JAWARI_BUILD"]).resolve())
            return
        build = pathlib.Path(self.build_temp).resolve() / "cmake"
        options = ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O3", "-DJAWARI_BUILD_PYTHON=ON", "-DJAWARI_BUILD_TESTS=OFF",
                   "-DBUILD_SHARED_LIBS=OFF", f"-DPython_EXECUTABLE={sys.executable}"]
        if shutil.which("ninja"):
            options += ["-G", "Ninja"]
        try:
            import pybind11
            options.append(f"-Dpybind11_DIR={pybind11.get_cmake_dir()}")
        except ImportError:
            pass  # CMake looks where the system has it
        options += os.environ.get("JAWARI_CMAKE_OPTIONS", "").split()
        subprocess.run(["cmake", "-S", str(root), "-B", str(build), *options], check=True)
        subprocess.run(["cmake", "--build", str(build), "--target", "python-package",
                        "--parallel", os.environ.get("JAWARI_JOBS", str(os.cpu_count() or 1))], check=True)
        self.take(build)

    def take(self, build: pathlib.Path) -> None:
        target = root / "python" / "jawari" if self.inplace else pathlib.Path(self.build_lib) / "jawari"
        made = build / "python" / "jawari"
        for file in [*made.glob("*.so"), *made.glob("bin/*")]:
            to = target / file.relative_to(made)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, to)


header = (root / "include/jawari/version.h").read_text()
version = ".".join(re.search(rf"JAWARI_VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH"))
setup(version=version, ext_modules=[Extension("jawari._core", [])], cmdclass={"build_ext": CMakeBuild})

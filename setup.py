"""Build step of setuptools: the wheel carries what the tests of this source tree prove (docs/rules.md)."""

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
sys.path.insert(0, str(ROOT))

from cli.calculators.rulebook_scan import scan, write  # noqa: E402  only now can it be found


class BuildWithProofs(build_py):
    """Builds the packages, and writes the proofs of the rule book among them."""

    def run(self) -> None:
        """An editable install needs no proofs: its tests lie beside it."""
        super().run()
        if not self.editable_mode:
            write(scan(ROOT), Path(self.build_lib) / "games" / "rulebook")


setup(cmdclass={"build_py": BuildWithProofs})

"""The guest's kernel module is built from the kernel's own source, or from none."""

import io
import tarfile
from pathlib import Path

import pytest

from hil import kernel_module


@pytest.mark.parametrize("odd", ["folder", "dangling link", "nothing"])
def test_a_source_without_the_file_is_told(tmp_path: Path, odd: str) -> None:
    """Whatever lies in its place, the words name what was looked for, and nothing is built."""
    name = "linux-source-6.12/drivers/gpio/gpio-sim.c"
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as source:
        member = tarfile.TarInfo(name if odd != "nothing" else "README")
        member.type, member.linkname = (tarfile.SYMTYPE, "gone") if odd == "dangling link" else (tarfile.DIRTYPE, "")
        source.addfile(member)
    archive.seek(0)
    with tarfile.open(fileobj=archive) as source, pytest.raises(SystemExit, match=f"has no file {name}"):
        kernel_module.write_sources(source, "linux-source-6.12", tmp_path)
    assert list(tmp_path.iterdir()) == []

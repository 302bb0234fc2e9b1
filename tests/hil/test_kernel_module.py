"""The guest's kernel module is built from the kernel's own source, or from none."""

import io
import tarfile
from pathlib import Path

import pytest

from hil import kernel_module
from hil.machines import X86


@pytest.mark.parametrize("odd", ["folder", "dangling link", "nothing"])
def test_a_source_without_the_file_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, odd: str) -> None:
    """Whatever lies in its place, the words name what was looked for, and nothing is built."""
    name = "linux-source-6.1/drivers/gpio/gpio-sim.c"
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as source:
        member = tarfile.TarInfo(name if odd != "nothing" else "README")
        member.type, member.linkname = (tarfile.SYMTYPE, "gone") if odd == "dangling link" else (tarfile.DIRTYPE, "")
        source.addfile(member)
    archive.seek(0)
    with tarfile.open(fileobj=archive) as source:
        monkeypatch.setattr("hil.kernel_module.tarfile.open", lambda _path: source)
        with pytest.raises(SystemExit, match=f"has no file {name}"):
            kernel_module.build(tmp_path / "module", X86, "6.1.0-54-amd64")
    assert list((tmp_path / "module").iterdir()) == []

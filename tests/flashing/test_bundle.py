"""A bundle is believed only if a trusted key's owner has signed all of it; every other file is told apart in words."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.main import main
from flashing.bundle import FORMAT, BundleFile, Manifest, open_bundle, permit_downgrade, write_bundle
from flashing.errors import FlashError
from flashing.keys import PrivateKey, Trust, make_key, read_private
from flashing.versions import order, this_platform, wheel_tags
from tests.support.flash.flash_bench import NEW, Workshop, make_bundle


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    folder = tmp_path_factory.mktemp("house")
    private, public = make_key(folder, "house", "release", None)
    key = read_private(private, None)
    make_bundle(folder / "good.pitlink", NEW, key)
    return Workshop(folder, key, public)


@pytest.fixture(scope="module")
def trust(house: Workshop) -> Trust:
    return Trust.of(house.folder)


@pytest.fixture(scope="module")
def good(house: Workshop) -> bytes:
    return (house.folder / "good.pitlink").read_bytes()


def refusal(path: Path, trust: Trust) -> str:
    """Why a board does not take this file."""
    with pytest.raises(FlashError) as refused, open_bundle(path, trust):
        pass
    return str(refused.value)


def test_a_good_bundle_says_what_it_is(house: Workshop, trust: Trust, tmp_path: Path) -> None:
    """And unpacks to the parts that went in."""
    with open_bundle(house.folder / "good.pitlink", trust) as bundle:
        assert (bundle.manifest.version, bundle.manifest.platform) == (NEW, this_platform())
        assert "tiny.py" in bundle.manifest.program
        bundle.unpack(tmp_path)
    assert {path.name for path in tmp_path.rglob("*.whl")} == {f"pitlink-{NEW}-py3-none-any.whl", *_pip(tmp_path)}
    assert (tmp_path / "lock.txt").read_text().startswith(f"pitlink=={NEW} --hash=sha256:")


def _pip(folder: Path) -> list[str]:
    return [path.name for path in (folder / "tools").iterdir()]


@given(data=st.data())
def test_a_bundle_cut_off_anywhere_is_told(data: st.DataObject, good: bytes, trust: Trust, house: Workshop) -> None:
    """However much of it is there; the words say that it was cut, or that it is no bundle at all."""
    length = data.draw(st.integers(0, len(good) - 1))
    path = house.folder / "cut.pitlink"
    path.write_bytes(good[:length])
    assert "truncated" in refusal(path, trust)


@given(data=st.data())
def test_a_single_flipped_bit_is_found(data: st.DataObject, good: bytes, trust: Trust, house: Workshop) -> None:
    """Anywhere, in the parts, the manifest, the signature or the lengths; nothing in it was read before (R57)."""
    place, bit = data.draw(st.integers(0, len(good) - 1)), data.draw(st.integers(0, 7))
    path = house.folder / "flipped.pitlink"
    path.write_bytes(good[:place] + bytes([good[place] ^ 1 << bit]) + good[place + 1 :])
    assert refusal(path, trust)


@given(content=st.binary(max_size=400))
def test_any_other_file_is_no_bundle(content: bytes, trust: Trust, house: Workshop) -> None:
    """Random bytes, with and without the first eight right."""
    path = house.folder / "other.pitlink"
    for start in (b"", b"PITLINK\x01"):
        path.write_bytes(start + content)
        assert refusal(path, trust)


def test_bytes_behind_the_end_are_refused(good: bytes, trust: Trust, tmp_path: Path) -> None:
    """What nobody signed does not ride along."""
    path = tmp_path / "long.pitlink"
    path.write_bytes(good + b"more")
    assert "4 bytes too many" in refusal(path, trust)


def test_an_unsigned_bundle_is_refused(good: bytes, trust: Trust, tmp_path: Path) -> None:
    """Noughts where a signature should be."""
    path = tmp_path / "unsigned.pitlink"
    path.write_bytes(good[:24] + bytes(80) + good[104:])
    assert "not signed" in refusal(path, trust)


def test_a_bundle_of_another_key_is_refused_with_its_id(trust: Trust, tmp_path: Path) -> None:
    """The words name the key that signed, and those that the board believes."""
    private, _ = make_key(tmp_path, "stranger", "release", None)
    make_bundle(tmp_path / "x.pitlink", NEW, read_private(private, None))
    words = refusal(tmp_path / "x.pitlink", trust)
    assert "which this board does not trust for a release; it trusts house (release, " in words


def test_a_board_without_keys_takes_nothing(house: Workshop, tmp_path: Path) -> None:
    """Trust is a file that somebody put there."""
    assert "it trusts none at all" in refusal(house.folder / "good.pitlink", Trust.of(tmp_path))


def test_the_manifest_is_not_read_before_its_signature_is_good(
    house: Workshop, trust: Trust, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader that would fail is never called."""
    good = (house.folder / "good.pitlink").read_bytes()
    (tmp_path / "x.pitlink").write_bytes(good[:-1] + b"\xff")
    monkeypatch.setattr("flashing.bundle._manifest", lambda *_: pytest.fail("read too early"))
    assert "damaged or altered" in refusal(tmp_path / "x.pitlink", trust)


@pytest.mark.parametrize("name", ["../evil", "/etc/passwd", "a//b", "", ".hidden", "a/../b"])
def test_a_part_never_leaves_its_folder(house: Workshop, trust: Trust, tmp_path: Path, name: str) -> None:
    """Not even with a good signature."""
    manifest = Manifest(NEW, this_platform(), (BundleFile(name, 0, ""),), {})
    path = tmp_path / "x.pitlink"
    with path.open("wb") as target:
        write_bundle(target, manifest, _Anything(), release=house.key)  # type: ignore[arg-type]  # a folder of noughts
    assert "does not understand" in refusal(path, trust)


class _Anything:
    """A folder in which every file is empty."""

    def __truediv__(self, _name: str) -> "_Anything":
        return self

    def read_bytes(self) -> bytes:
        return b""


def test_a_bundle_of_a_later_format_is_refused(house: Workshop, trust: Trust, tmp_path: Path) -> None:
    """Signed or not, what this board does not understand it does not install."""
    path = tmp_path / "x.pitlink"
    with path.open("wb") as target:
        write_bundle(target, Manifest(NEW, "x", (), {}, format=FORMAT + 1), tmp_path, release=house.key)
    assert "does not understand (format 2)" in refusal(path, trust)


def test_a_second_signature_is_added_to_a_finished_bundle(house: Workshop, good: bytes, tmp_path: Path) -> None:
    """By another key, in another role; the first signature stays good, and a board must trust both."""
    private, public = make_key(tmp_path, "boss", "downgrade", None)
    path = tmp_path / "x.pitlink"
    path.write_bytes(good)
    permit_downgrade(path, read_private(private, None))
    (tmp_path / house.public.name).write_bytes(house.public.read_bytes())
    with open_bundle(path, Trust.of(tmp_path)) as bundle:
        assert bundle.release.permits_downgrade
    public.unlink()
    assert "does not trust for a downgrade" in refusal(path, Trust.of(tmp_path))


def test_a_release_key_cannot_permit_a_downgrade(house: Workshop, good: bytes, tmp_path: Path) -> None:
    """Whoever builds bundles cannot also let boards go back."""
    path = tmp_path / "x.pitlink"
    path.write_bytes(good)
    permit_downgrade(path, house.key)
    assert "does not trust for a downgrade" in refusal(path, Trust.of(house.folder))


def test_a_signature_for_one_role_is_none_for_another(house: Workshop) -> None:
    """The role is part of what is signed."""
    (public,) = [Trust.of(house.folder).find("release", house.key.id)]
    assert public is not None
    assert public.has_signed(house.key.sign("release", b"words"), b"words")
    assert not public.has_signed(house.key.sign("downgrade", b"words"), b"words")


def test_a_key_with_a_passphrase_needs_it(tmp_path: Path) -> None:
    """The file alone signs nothing, and no key is written over another."""
    private, _ = make_key(tmp_path, "house", "release", b"open sesame")
    assert private.stat().st_mode & 0o777 == 0o600
    assert isinstance(read_private(private, b"open sesame"), PrivateKey)
    for wrong in (None, b"wrong"):
        with pytest.raises(FlashError, match="not with this passphrase"):
            read_private(private, wrong)
    with pytest.raises(FlashError, match="there is a key of this name already"):
        make_key(tmp_path, "house", "release", None)


@pytest.mark.parametrize("text", ["", "hello", "pitlink-ed25519 release AAAA house", "pitlink-ed25519 king AAAA x"])
def test_a_trusted_key_that_is_none_is_named(tmp_path: Path, text: str) -> None:
    """It is not skipped: a board that believes less than it should says so."""
    (tmp_path / "odd.pub").write_text(text)
    with pytest.raises(FlashError, match=r"odd\.pub: not a public key"):
        Trust.of(tmp_path)


@given(st.tuples(*[st.integers(0, 99)] * 3), st.tuples(*[st.integers(0, 99)] * 3))
def test_versions_are_ordered_as_numbers(one: tuple[int, ...], other: tuple[int, ...]) -> None:
    """0.9.0 comes before 0.10.0, and a candidate before its release."""
    first, second = ".".join(map(str, one)), ".".join(map(str, other))
    assert (order(first) < order(second)) == (one < other)
    assert order(f"{first}rc1") < order(f"{first}rc2") < order(first)


@pytest.mark.parametrize("name", ["", "1", "1.2", "1.2.3.4", "v1.2.3", "1.2.3-4", "1.2.x", "1.2.3/..", "1.2.3\n"])
def test_what_is_no_version_is_refused(name: str) -> None:
    """A name that becomes a folder is a version or nothing."""
    with pytest.raises(FlashError, match="is no version"):
        order(name)


def test_wheels_are_known_for_boards_only() -> None:
    """A misspelt machine is found before anything is fetched."""
    assert "manylinux_2_36_aarch64" in wheel_tags("aarch64")
    with pytest.raises(FlashError, match="no wheels are known for 'arm'"):
        wheel_tags("arm")


def test_the_commands_of_the_workshop(house: Workshop, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """key, permit and show; what is wrong is exit 1 with words."""
    secret = tmp_path / "secret"
    secret.write_text("open sesame\n")
    words = [
        "bundle",
        "key",
        "boss",
        "--role",
        "downgrade",
        "--folder",
        str(tmp_path),
        "--passphrase-file",
        str(secret),
    ]
    assert main(words) == 0
    (tmp_path / "house.pub").write_bytes(house.public.read_bytes())
    path = tmp_path / "x.pitlink"
    path.write_bytes((house.folder / "good.pitlink").read_bytes())
    key = ["--key", str(tmp_path / "boss.key"), "--passphrase-file", str(secret)]
    assert main(["bundle", "permit", str(path), *key]) == 0
    assert main(["bundle", "show", str(path), "--trust", str(tmp_path)]) == 0
    assert "downgrade permitted" in capsys.readouterr().out
    assert main(["bundle", "show", str(secret), "--trust", str(tmp_path)]) == 1
    assert "not a bundle of Pitlink" in capsys.readouterr().err

"""A table's board in a folder, to be handed over: settings, keys, journal, and a cupboard for old boards."""

import shutil
from pathlib import Path

from cli.main import main
from controller.journal.journal import Journal

EXAMPLE = Path(__file__).parents[3] / "config" / "table.toml"
PASSPHRASE = "correct horse battery"


class SwapBench:
    """A table's board in a folder, and a cupboard for the boards that were taken out."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.state = folder, folder / "T1"
        self.config, self.file, self.secret = folder / "etc/table.toml", folder / "stick/T1.swap", folder / "secret"
        (folder / "etc" / "trust").mkdir(parents=True)
        (folder / "etc" / "trust" / "house.pub").write_text("a public key")
        key = folder / "etc" / "T1.key"
        key.write_text("a private key")
        key.chmod(0o640)
        tls = f'[broker.tls]\nca = "{key}"\ncertificate = "{key}"\nkey = "{key}"\n'
        text = EXAMPLE.read_text().replace("/var/lib/pitlink/T1", str(self.state)).replace('"main"', '"demo"')
        self.config.write_text(text.replace("[panel]", f"{tls}\n[panel]", 1))
        self.secret.write_text(f"{PASSPHRASE}\n")

    def write_journal(self) -> None:
        """Its table was closed and stopped: an empty journal is there."""
        self.state.mkdir()
        Journal.open(self.state / "journal.db").close()

    def rehearse(self) -> None:
        """Its table plays for nothing."""
        text = self.config.read_text()
        self.config.write_text(text.replace("stake_cents = 100", "stake_cents = 100\nrehearsal = true", 1))

    def export(self) -> int:
        return main(
            ["swap", "export", str(self.file), "--config", str(self.config), "--passphrase-file", str(self.secret)]
        )

    def take_over(self, *words: str) -> int:
        board = ("--config", str(self.config), "--also", str(self.state), "--passphrase-file", str(self.secret))
        return main(["swap", "import", str(self.file), *board, *(words or ("--trust-keys",))])

    def fresh_board(self, name: str) -> None:
        """The board in use goes into the cupboard."""
        cupboard = self.folder / name
        cupboard.mkdir()
        for part in (self.state, self.config.parent):
            if part.exists():
                shutil.move(part, cupboard / part.name)

    def put_back(self, name: str) -> None:
        """A board from the cupboard is in use again."""
        for part in (self.state, self.config.parent):
            shutil.rmtree(part, ignore_errors=True)
            shutil.copytree(self.folder / name / part.name, part, ignore=shutil.ignore_patterns("*.sock"))

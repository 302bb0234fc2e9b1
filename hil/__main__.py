"""`python -m hil`: runs the command in a process group, so that ending it ends machine, broker and meter."""

import sys

from hil import process_group
from hil.image import PROJECT

if __name__ == "__main__":
    sys.exit(process_group.run([sys.executable, "-m", "hil.command", *sys.argv[1:]], PROJECT))

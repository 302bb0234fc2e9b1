"""`python -m hil`: the bench's command as an errand, so that whoever ends it ends machine, broker and meter, too."""

import sys

from hil import process_group
from hil.image import PROJECT

if __name__ == "__main__":
    sys.exit(process_group.run([sys.executable, "-m", "hil.command", *sys.argv[1:]], PROJECT))

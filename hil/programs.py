"""Programs of the host, run to their end for an image; one that fails ends the bench with its words."""

import subprocess
import sys


def run(*words: str) -> None:
    """Runs a program that may not fail."""
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        sys.exit(f"bench: {' '.join(words)}\n{done.stdout}")

"""`python -m tests.mutants`: its command line; tests/mutants/campaign.py does it."""

import os
import sys

os.environ["CARDTABLE_PURE"] = "1"  # before anything imports the engine; the campaign imported alone changes nothing

from tests.mutants.campaign import main  # noqa: E402 - only now

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

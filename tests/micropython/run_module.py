"""The MicroPython side of the shared tests: runs test functions by name.

    micropython run_module.py FOLDER MODULE MARK

imports MODULE from FOLDER, then reads one name of a test after the other from standard input and answers each
with a line that begins with MARK: `ready` once the module is imported, `passed` or `failed` after each test.
What stands before such a line is what the test printed, and after a failure MicroPython's own traceback.
"""

import gc
import sys


def run(test) -> str:
    """Call one test on a tidied heap: `passed`, or `failed` with the traceback printed."""
    gc.collect()
    try:
        test()
    except BaseException as error:
        # Even SystemExit is an answer here, so that the next test still runs.
        sys.print_exception(error)
        return "failed"
    return "passed"


def main() -> None:
    """Answer until standard input ends."""
    folder, name, mark = sys.argv[1:]
    # The folder of this file stands first on the path; the tests' own folder comes last, and hides nothing.
    sys.path.pop(0)
    sys.path.append(folder)
    module = __import__(name)
    print("\n" + mark + "ready")
    while True:
        name = sys.stdin.readline().strip()
        if not name:
            return
        print("\n" + mark + run(getattr(module, name)))


main()

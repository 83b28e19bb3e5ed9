"""Starts the application that the loader chooses.

On the device this is main.py. There is no prompt meanwhile: the application decides when it may open (T11).
"""

import micropython

micropython.kbd_intr(-1)

import gc
import sys

import loader


def run(folder: str, word: str, confirm) -> None:
    """Start the application. A crash resets the chip; if it had not come up yet, another application is next."""
    is_up = []

    def come_up() -> None:
        """The application calls this once it works."""
        is_up.append(True)
        if confirm:
            confirm()

    sys.path.insert(0, "/" + folder)
    try:
        import main  # the application's, not this file

        main.main(come_up)
    except Exception as error:
        import loader

        loader.handle_crash(folder, word, error, bool(is_up))


if __name__ == "__main__":
    chosen = loader.choose()
    # Its code is three kilobytes that a table needs for other things.
    del loader, sys.modules["loader"]
    gc.collect()
    if chosen[0]:
        run(*chosen)
    import loader

    loader.end()

"""`esp` as far as the firmware uses it: whether ESP-IDF prints its errors into the console.

It stands for ports/esp32/modesp.c: osdebug(None) keeps every line of ESP-IDF's log back, osdebug(0) lets them out.
"""

import machine


def osdebug(uart, level: int = 0) -> None:
    machine.logs_errors = uart is not None

"""The time that printing takes.

It stands for ports/esp32/uart.c: 128 bytes fit into the UART's FIFO, which empties at 115200 baud, 11.5 bytes a
millisecond, and a print returns when its last byte is in. And for shared/tinyusb/mp_usbd_cdc.c: while a computer has
opened the native USB port and reads nothing, each call takes half a second. A line is two calls, its text and its end.
"""

import virtual_clock

from micropython import const

_BYTE_US = const(87)
_FIFO_US = const(128 * 87)  # until a full FIFO is empty
_STALL_US = const(500_000)

_stalls = False  # the console is a native USB port whose reader has stalled
_empty_us = 0  # when everything that was printed is out


def begin(stalls: bool) -> None:
    """Nothing has been printed yet."""
    global _stalls, _empty_us
    _stalls = stalls
    _empty_us = 0


def take(text: str) -> None:
    """One call."""
    global _empty_us
    now_us = virtual_clock.now_us
    if _stalls:
        virtual_clock.sleep_us(_STALL_US)
        return
    _empty_us = max(_empty_us, now_us) + _BYTE_US * (len(text.encode()) + text.count("\n"))  # an end is sent as two
    if _empty_us - now_us > _FIFO_US:
        virtual_clock.now_us = _empty_us - _FIFO_US
        if virtual_clock.now_us >= virtual_clock.due_us:
            virtual_clock.catch_up()
        if virtual_clock.on_wait:
            virtual_clock.on_wait()


def time_prints() -> None:
    """From now on `print` takes its time; a traceback does not."""
    import builtins

    write = builtins.print

    def timed(*words, **how) -> None:
        for word in words:
            take(str(word))
        take("\n")
        write(*words, **how)

    builtins.print = timed

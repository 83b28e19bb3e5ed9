"""The time that printing takes.

It stands for ports/esp32/uart.c: 128 bytes go into the UART's FIFO at once, the rest waits at 115200 baud, and no
callback runs meanwhile; and for shared/tinyusb/mp_usbd_cdc.c: a computer that has opened the native USB port and reads
nothing costs each call half a second. A line is two calls, its text and its end.
"""

import virtual_clock

_FIFO_US = 128 * 87  # until as many bytes as fit in are out
_BYTE_US = 87
_STALL_US = 500_000

stalls = False  # the console is a native USB port whose reader has stalled
_empty_us = 0  # when all that was printed is out


def begin(reader_has_stalled: bool) -> None:
    """Nothing has been printed yet."""
    global stalls, _empty_us
    stalls = reader_has_stalled
    _empty_us = 0


def take(text: str) -> None:
    """One call: it returns when the last byte is in the FIFO."""
    global _empty_us
    if stalls:
        virtual_clock.sleep_us(_STALL_US)
        return
    _empty_us = max(_empty_us, virtual_clock.now_us) + _BYTE_US * (len(text.encode()) + text.count("\n"))
    if _empty_us - virtual_clock.now_us > _FIFO_US:
        virtual_clock.now_us = _empty_us - _FIFO_US
        if virtual_clock.now_us >= virtual_clock.due_us:
            virtual_clock.catch_up()


def take_time() -> None:
    """From now on `print` takes its time."""
    import builtins

    write = builtins.print

    def timed(*words, **how) -> None:
        take(" ".join([str(word) for word in words]))
        take("\n")
        write(*words, **how)

    builtins.print = timed

"""`micropython` for a host, for py/modmicropython.c: under CPython `const` and the heap's locks mean nothing.

MicroPython has its own built in and never reads this file.
"""


def const(value):
    return value


def heap_lock() -> int:
    return 1


def heap_unlock() -> int:
    return 0


interrupt = 3  # the character on the console that interrupts what runs; -1: none


def kbd_intr(character: int) -> None:
    global interrupt
    interrupt = character


def alloc_emergency_exception_buf(size: int) -> None:
    pass


def schedule(function, argument) -> None:
    """Calls at once: CPython runs the firmware in one thread, between whose bytecodes nothing comes."""
    function(argument)


def native(function):
    return function


viper = native

"""A piezo buzzer on a square wave: tones and their times."""

from micropython import const

_DUTY = const(16384)  # of 65536: a quarter is nearly as loud as half, and takes half the current


class Buzzer:
    """Silent until told otherwise."""

    def __init__(self, pwm) -> None:
        """`pwm` is a machine.PWM."""
        self._pwm = pwm
        self._hertz = 0
        pwm.duty_u16(0)

    def tone(self, hertz: int) -> None:
        """Sound at this pitch until the next call; 0 is silence."""
        if hertz == self._hertz:
            return
        self._hertz = hertz
        if hertz:
            self._pwm.freq(hertz)
        self._pwm.duty_u16(_DUTY if hertz else 0)

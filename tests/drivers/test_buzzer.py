"""The buzzer's driver: a tone changes the wave, silence stops it, and the same again does nothing."""

from cardtable.drivers.buzzer import Buzzer


class Wave:
    """Writes down what a machine.PWM is told."""

    def __init__(self):
        self.told = []

    def freq(self, hertz):
        assert hertz > 0, "an ESP32 has no wave of 0 Hz"
        self.told.append(("freq", hertz))

    def duty_u16(self, duty):
        self.told.append(("duty", duty))


def test_tones_and_silence():
    wave = Wave()
    buzzer = Buzzer(wave)
    assert wave.told == [("duty", 0)]
    wave.told.clear()
    buzzer.tone(440)
    buzzer.tone(440)
    buzzer.tone(880)
    buzzer.tone(0)
    buzzer.tone(0)
    assert [told for told in wave.told if told[0] == "freq"] == [("freq", 440), ("freq", 880)]
    duties = [duty for what, duty in wave.told if what == "duty"]
    assert duties[:2] == [duties[0], duties[0]] and 0 < duties[0] < 65536 and duties[2:] == [0]

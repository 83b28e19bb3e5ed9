"""`network` as an ESP32 with Wi-Fi has it, and as unkind: it tells nothing but whether it is connected, and late.

It stands for ports/esp32/network_wlan.c. Its air is a file that CARDTABLE_AIR names: `down`, or `up` and how many tries
to connect fail before one works, or `broken`: the radio itself, whose errors are of another type. The sockets are those
of this machine.
"""

import os

STA_IF = 0
_INTERNAL_ERROR = "Wifi Internal State Error"  # what an ESP32 raises where it cannot connect now
_UNKNOWN_ERROR = "Wifi Unknown Error 0x1101"  # a RuntimeError: what ESP-IDF says that is in no list


class WLAN:
    """The station's side of the radio."""

    def __init__(self, interface: int = STA_IF) -> None:
        self._is_active = False
        self._is_asked = False
        self._fails = 0  # tries that failed since the air was last good
        self._looks = 0
        self._ask_radio()

    def _ask_radio(self) -> None:
        """Ask ESP-IDF for something, which it may refuse: the first time already."""
        if self._read_air()[:1] == ["broken"]:
            raise RuntimeError(_UNKNOWN_ERROR)

    def _read_air(self) -> list:
        try:
            with open(os.getenv("CARDTABLE_AIR") or "") as file:
                return file.read().split()
        except OSError:
            return ["up"]

    def active(self, is_on=None) -> bool:
        """Switch the radio."""
        if is_on is not None:
            self._ask_radio()
            self._is_active = is_on
            self._is_asked = self._is_asked and is_on
        return self._is_active

    def connect(self, ssid: str, password: str = "") -> None:
        """Ask for a network; it comes later, or never."""
        if not self._is_active:
            raise OSError(_INTERNAL_ERROR)
        air = self._read_air()
        if len(air) > 1 and self._fails < int(air[1]):
            self._fails += 1
            raise OSError(_INTERNAL_ERROR)
        self._is_asked = True
        self._looks = 0

    def isconnected(self) -> bool:
        """Whether the network is there: not at once."""
        self._looks += 1
        return self._is_asked and self._looks > 2 and self._read_air()[:1] == ["up"]

    def disconnect(self) -> None:
        """Leave it."""
        self._is_asked = False

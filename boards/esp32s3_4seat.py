"""An ESP32-S3-DevKitC-1 with four seats and one large screen for all: the board to begin with; imports nothing.

Readers, buttons, lights and screen have the pins of esp32s3_7seat.py, so a table can grow. Left alone are the straps 0,
3, 45 and 46, USB on 19 and 20, the console on 43 and 44, what an octal PSRAM takes (35 to 37), and 38 and 48, on which
one or the other version has its own light.
"""

NAME = "esp32s3_4seat"
TITLE = "ESP32-S3 DevKit, four seats"
MODULE = "esp32-s3-wroom-1"
SEATS = 4

# The readers' pins are those of the first host's IO_MUX. The buttons' mosi leads nowhere: a 74HC165 takes no bytes, but
# MicroPython's SPI claims a pin for them.
SPI = {
    "readers": {"id": 1, "sck": 12, "mosi": 11, "miso": 13, "baudrate": 1_000_000, "buffer": "74lvc1g125"},
    "buttons": {"id": 2, "sck": 40, "mosi": 41, "miso": 42, "baudrate": 1_000_000},
}
I2C = {"screen": {"id": 0, "scl": 9, "sda": 8, "freq": 400_000}}

# One for each seat, seat 1 first. Each reader's miso passes a 74LVC1G125 that its own select line opens: readers
# that drive the line all the time are common.
READERS = (
    {"chip": "mfrc522", "spi": "readers", "select": 4},
    {"chip": "mfrc522", "spi": "readers", "select": 5},
    {"chip": "mfrc522", "spi": "readers", "select": 6},
    {"chip": "mfrc522", "spi": "readers", "select": 7},
)
READER_RESET = 18

# Three 74HC165: seat 1's OK, NO, CALL, MENU come first, then seat 2's; closed is low. The four inputs behind the
# buttons have 10 k to 3.3 V and no button; the four that come last are wired to the levels of `sentinel`, its highest
# bit first.
BUTTONS = {"spi": "buttons", "latch": 39, "chips": 3, "sentinel": 0b1010}
LIGHTS = {"pin": 21, "count": 4}
SCREEN = {"chip": "ssd1309", "i2c": "screen", "address": 0x3C, "width": 128, "height": 64}
BUZZER = {"pin": 47}
WATCHDOG = {"timeout_ms": 8_000}
WIFI = True  # between two games, if network.txt is there (docs/network.md)

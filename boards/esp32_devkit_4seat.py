"""An ESP32-DevKitC (WROOM-32) with four seats, each reader selected by its own pin; imports nothing.

Fifteen pins of a WROOM-32 can drive anything without a second thought: no strap, no flash, no console. Four seats need
just these fifteen. A fifth chip select would have to be a strap: see esp32_devkit_7seat.py for more seats.
"""

NAME = "esp32_devkit_4seat"
TITLE = "ESP32 DevKit, four seats"
MODULE = "esp32-wroom-32"
SEATS = 4

# The pins of each host's IO_MUX, but for the buttons' miso, an input-only pin: 12 is a strap that must be low at reset.
# The buttons' mosi leads nowhere: a 74HC165 takes no bytes, but MicroPython's SPI claims a pin for them.
SPI = {
    "readers": {"id": 2, "sck": 18, "mosi": 23, "miso": 19, "baudrate": 1_000_000, "buffer": "74lvc1g125"},
    "buttons": {"id": 1, "sck": 14, "mosi": 13, "miso": 34, "baudrate": 1_000_000},
}
I2C = {"screen": {"id": 0, "scl": 22, "sda": 21, "freq": 400_000}}

# One for each seat, seat 1 first. Each reader's miso passes a 74LVC1G125 that its own select line opens: readers
# that drive the line all the time are common.
READERS = (
    {"chip": "mfrc522", "spi": "readers", "select": 16},
    {"chip": "mfrc522", "spi": "readers", "select": 17},
    {"chip": "mfrc522", "spi": "readers", "select": 25},
    {"chip": "mfrc522", "spi": "readers", "select": 26},
)
READER_RESET = 27

# Three 74HC165: seat 1's OK, NO, CALL, MENU come first, then seat 2's; closed is low. The four inputs behind the
# buttons have 10 k to 3.3 V and no button; the four that come last are wired to the levels of `sentinel`, its highest
# bit first.
BUTTONS = {"spi": "buttons", "latch": 32, "chips": 3, "sentinel": 0b1010}
LIGHTS = {"pin": 33, "count": 4}
SCREEN = {"chip": "ssd1306", "i2c": "screen", "address": 0x3C, "width": 128, "height": 64, "large": 1}
BUZZER = {"pin": 4}
WATCHDOG = {"timeout_ms": 8_000}

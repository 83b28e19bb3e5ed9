"""An ESP32-DevKitC (WROOM-32) with seven seats, its readers selected through a 74HC138; imports nothing.

Fifteen pins of a WROOM-32 can drive anything without a second thought: no strap, no flash, no console. Seven chip
selects of their own would leave too few for the rest; the decoder makes four pins of them, and just fifteen are used.
"""

NAME = "esp32_devkit_7seat"
TITLE = "ESP32 DevKit, seven seats"
MODULE = "esp32-wroom-32"
SEATS = 7

# The pins of each host's IO_MUX, but for the buttons' miso, an input-only pin: 12 is a strap that must be low at reset.
# The buttons' mosi leads nowhere: a 74HC165 takes no bytes, but MicroPython's SPI claims a pin for them.
SPI = {
    "readers": {"id": 2, "sck": 18, "mosi": 23, "miso": 19, "baudrate": 1_000_000, "buffer": "74lvc1g125"},
    "buttons": {"id": 1, "sck": 14, "mosi": 13, "miso": 34, "baudrate": 1_000_000},
}
I2C = {"screen": {"id": 0, "scl": 22, "sda": 21, "freq": 400_000}}

# The decoder pulls the output low whose number stands at `address`, lowest bit first, while `enable` is low.
SELECT = {"chip": "74hc138", "address": (16, 17, 25), "enable": 26}
# One for each seat, seat 1 first; `output` is the decoder's. Each reader's miso passes a 74LVC1G125 that its own
# select line opens: readers that drive the line all the time are common.
READERS = (
    {"chip": "mfrc522", "spi": "readers", "output": 0},
    {"chip": "mfrc522", "spi": "readers", "output": 1},
    {"chip": "mfrc522", "spi": "readers", "output": 2},
    {"chip": "mfrc522", "spi": "readers", "output": 3},
    {"chip": "mfrc522", "spi": "readers", "output": 4},
    {"chip": "mfrc522", "spi": "readers", "output": 5},
    {"chip": "mfrc522", "spi": "readers", "output": 6},
)
READER_RESET = 27

# Four 74HC165: seat 1's OK, NO, CALL, MENU come first, then seat 2's; closed is low. The four inputs that
# come last are wired to the levels of `sentinel`, its highest bit first.
BUTTONS = {"spi": "buttons", "latch": 32, "chips": 4, "sentinel": 0b1010}
LIGHTS = {"pin": 33, "count": 7}
SCREEN = {"chip": "sh1106", "i2c": "screen", "address": 0x3C, "width": 128, "height": 64, "large": 1}
BUZZER = {"pin": 4}
WATCHDOG = {"timeout_ms": 8_000}

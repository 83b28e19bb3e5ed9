"""The virtual board: an ESP32 WROOM with seven seats, each reader selected by its own pin; imports nothing.

Left alone are the flash pins 6-11, the console on 1 and 3, and the straps 0 and 12, of which a wrong level
at reset keeps the chip from starting. Straps 5 and 15 are pulled up inside, as a chip select wants it; 2 is
pulled down, as a buzzer wants it.
"""

NAME = "virtual"
TITLE = "The virtual table"
MODULE = "esp32-wroom-32"
SEATS = 7

# The pins of each host's IO_MUX, but for the buttons' miso: 12 is a strap that must be low at reset.
SPI = {
    "readers": {"id": 2, "sck": 18, "mosi": 23, "miso": 19, "baudrate": 1_000_000, "buffer": "74lvc1g125"},
    "buttons": {"id": 1, "sck": 14, "mosi": 13, "miso": 34, "baudrate": 1_000_000},
}
I2C = {"screen": {"id": 0, "scl": 22, "sda": 21, "freq": 400_000}}

# One for each seat, seat 1 first, its miso behind a gate.
READERS = (
    {"chip": "mfrc522", "spi": "readers", "select": 4},
    {"chip": "mfrc522", "spi": "readers", "select": 5},
    {"chip": "mfrc522", "spi": "readers", "select": 15},
    {"chip": "mfrc522", "spi": "readers", "select": 16},
    {"chip": "mfrc522", "spi": "readers", "select": 17},
    {"chip": "mfrc522", "spi": "readers", "select": 25},
    {"chip": "mfrc522", "spi": "readers", "select": 26},
)
READER_RESET = 27

# Four 74HC165: seat 1's OK, NO, CALL, MENU come first, then seat 2's; closed is low. The four inputs that
# come last are wired to the levels of `sentinel`, its highest bit first.
BUTTONS = {"spi": "buttons", "latch": 32, "chips": 4, "sentinel": 0b1010}
LIGHTS = {"pin": 33, "count": 7}
SCREEN = {"chip": "ssd1306", "i2c": "screen", "address": 0x3C, "width": 128, "height": 64}
BUZZER = {"pin": 2}
WATCHDOG = {"timeout_ms": 8_000}

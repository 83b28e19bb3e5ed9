# MicroPython for an ESP32 without PSRAM, with a ROM partition from which the table's code runs (docs/flashing.md).
set(IDF_TARGET esp32)
set(SDKCONFIG_DEFAULTS
    boards/sdkconfig.base
    boards/CARDTABLE_ESP32/sdkconfig.board
)

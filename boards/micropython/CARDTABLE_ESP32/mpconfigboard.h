// A table needs neither Bluetooth nor a driver for Ethernet, and a file system in ROM.
#define MICROPY_HW_BOARD_NAME "Cardtable ESP32"
#define MICROPY_HW_MCU_NAME "ESP32"
#define MICROPY_VFS_ROM (1)
#define MICROPY_PY_BLUETOOTH (0)
#define MICROPY_PY_NETWORK_LAN (0)

"""Addresses, bits and reset values of the MFRC522 (NXP data sheet rev. 3.9, 9 and 10); holds no behaviour."""

# Page 0: command and status (9.3.1)
COMMAND = 0x01
COM_I_EN = 0x02
DIV_I_EN = 0x03
COM_IRQ = 0x04
DIV_IRQ = 0x05
ERROR = 0x06
STATUS1 = 0x07
STATUS2 = 0x08
FIFO_DATA = 0x09
FIFO_LEVEL = 0x0A
WATER_LEVEL = 0x0B
CONTROL = 0x0C
BIT_FRAMING = 0x0D
COLL = 0x0E
# Page 1: communication (9.3.2)
MODE = 0x11
TX_MODE = 0x12
RX_MODE = 0x13
TX_CONTROL = 0x14
TX_ASK = 0x15
TX_SEL = 0x16
RX_SEL = 0x17
DEMOD = 0x19
MF_RX = 0x1D
# Page 2: configuration (9.3.3)
CRC_RESULT_HIGH = 0x21
CRC_RESULT_LOW = 0x22
RF_CFG = 0x26
T_MODE = 0x2A
T_PRESCALER = 0x2B
T_RELOAD_HIGH = 0x2C
T_RELOAD_LOW = 0x2D
T_COUNTER_HIGH = 0x2E
T_COUNTER_LOW = 0x2F
# Page 3: test (9.3.4)
AUTO_TEST = 0x36
VERSION = 0x37

# Command codes (10.3, table 149)
IDLE = 0x0
MEM = 0x1
GENERATE_RANDOM_ID = 0x2
CALC_CRC = 0x3
TRANSMIT = 0x4
NO_COMMAND_CHANGE = 0x7
RECEIVE = 0x8
TRANSCEIVE = 0xC
MF_AUTHENT = 0xE
SOFT_RESET = 0xF

# ComIrqReg (9.3.1.5), DivIrqReg (9.3.1.6)
TX_IRQ = 0x40
RX_IRQ = 0x20
IDLE_IRQ = 0x10
HI_ALERT_IRQ = 0x08
LO_ALERT_IRQ = 0x04
ERR_IRQ = 0x02
TIMER_IRQ = 0x01
CRC_IRQ = 0x04

# ErrorReg (9.3.1.7)
WR_ERR = 0x80
TEMP_ERR = 0x40
BUFFER_OVFL = 0x10
COLL_ERR = 0x08
CRC_ERR = 0x04
PARITY_ERR = 0x02
PROTOCOL_ERR = 0x01

# States of the transmitter and receiver, Status2Reg's ModemState (9.3.1.9)
MODEM_IDLE = 0
MODEM_WAIT_START_SEND = 1
MODEM_TX_WAIT = 2
MODEM_TRANSMITTING = 3
MODEM_WAIT_DATA = 5
MODEM_RECEIVING = 6

# Reset values that are not zero (9.2, table 20). CollReg's position, undefined there, reads as not valid.
RESET_VALUES = {
    COMMAND: 0x20, COM_I_EN: 0x80, COM_IRQ: 0x14, STATUS1: 0x21, WATER_LEVEL: 0x08, CONTROL: 0x10, COLL: 0xA0,
    MODE: 0x3F, TX_CONTROL: 0x80, TX_SEL: 0x10, RX_SEL: 0x84, 0x18: 0x84, DEMOD: 0x4D, 0x1C: 0x62, 0x1F: 0xEB,
    CRC_RESULT_HIGH: 0xFF, CRC_RESULT_LOW: 0xFF, 0x24: 0x26, RF_CFG: 0x48, 0x27: 0x88, 0x28: 0x20, 0x29: 0x20,
    0x33: 0x80, AUTO_TEST: 0x40,
}

_READ_ONLY = (ERROR, STATUS1, CRC_RESULT_HIGH, CRC_RESULT_LOW, T_COUNTER_HIGH, T_COUNTER_LOW, VERSION)
_RESERVED = (0x00, 0x0F, 0x10, 0x1A, 0x1B, 0x1E, 0x20, 0x23, 0x25, 0x30, 0x3C, 0x3D, 0x3E, 0x3F)
# Bits that a write reaches and a read gives back; a register that is missing here stores all eight.
WRITABLE = dict.fromkeys(_READ_ONLY + _RESERVED, 0) | {
    DIV_I_EN: 0x94, TX_MODE: 0xF8, RX_MODE: 0xFC, TX_ASK: 0x40, TX_SEL: 0x3F,
}

# What the digital self-test leaves in the FIFO of a version 2.0 chip (16.1.1).
SELF_TEST_RESULT = bytes.fromhex(
    "00eb66ba57bf2395d0e30d3d27895cde9d3ba700215b8982513aeb020ca50049"
    "7c844db3ccd21b815d4876d5716121a986968338cf9d5b6ddc15ba3e7d953b2f"
)

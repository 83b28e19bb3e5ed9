"""The host's end of the pipe: whole operations in their order, however the bytes come."""

import struct

import pytest

from host_tools.virtual import pipe
from host_tools.virtual.pipe import PipeServer, ProtocolError
from host_tools.virtual.world import World
from tests.host_tools.virtual.conftest import TOY_BOARD, ToyParts


def operation(what, line, other, now_us, data=b"", size=None):
    return struct.pack("<BBHHQ", what, line, other, len(data) if size is None else size, now_us) + data


STREAM = (
    operation(pipe.PIN_MODE, 4, 3, 1)
    + operation(pipe.SPI_WRITE, 18, 0, 40, b"abc")
    + operation(pipe.PIN_WRITE, 4, 1, 41)
    + operation(pipe.PIN_WRITE, 4, 0, 42)
    + operation(pipe.STRIP_WRITE, 33, 0, 50, bytes(6))
    + operation(pipe.SPI_EXCHANGE, 18, 0, 80, b"\x01\x02")
)


@pytest.fixture
def parts():
    return ToyParts()


@pytest.fixture
def server(parts):
    return PipeServer(World(TOY_BOARD, chips=parts))


def test_a_stream_cut_anywhere_does_the_same(server, parts):
    assert server.feed(STREAM) == b"\xfe\xfd"
    for cut in range(1, len(STREAM)):
        other_parts = ToyParts()
        other = PipeServer(World(TOY_BOARD, chips=other_parts))
        assert other.feed(STREAM[:cut]) is None
        assert other.feed(STREAM[cut:]) == b"\xfe\xfd"
        assert other_parts.log == parts.log and other.digest() == server.digest()
        assert other.operations == 6
    assert [entry[2] for entry in parts.log] == ["select", "spi", "deselect", "select", "write", "spi"]


def test_the_digest_tells_runs_apart(server):
    same, later = (PipeServer(World(TOY_BOARD, chips=ToyParts())) for _ in range(2))
    for one in (server, same):
        one.feed(STREAM)
    later.feed(STREAM.replace(struct.pack("<Q", 50), struct.pack("<Q", 51)))
    assert server.digest() == same.digest() != later.digest()


def test_a_frame_is_three_operations_in_one_and_half_of_it_two(server, parts):
    """A pin goes low, bytes are written, the pin goes high: at its own time each."""
    apart, together = ToyParts(), ToyParts()
    begins = operation(pipe.PIN_MODE, 4, 3, 1) + operation(pipe.PIN_WRITE, 4, 1, 2)
    servers = [PipeServer(World(TOY_BOARD, chips=one)) for one in (apart, together)]
    servers[0].feed(
        begins + operation(pipe.PIN_WRITE, 4, 0, 10) + operation(pipe.SPI_WRITE, 18, 0, 60, b"abc")
        + operation(pipe.PIN_WRITE, 4, 1, 61) + operation(pipe.PIN_WRITE, 4, 0, 70)
        + operation(pipe.SPI_WRITE, 18, 0, 90, b"d"))
    servers[1].feed(
        begins + operation(pipe.FRAME, 4, 50, 60, bytes((18,)) + b"abc")
        + operation(pipe.HALF_FRAME, 4, 20, 90, bytes((18,)) + b"d"))
    assert apart.log == together.log
    assert [entry[:1] + entry[2:] for entry in together.log[1:]] == [
        (2, "deselect"), (10, "select"), (60, "spi", b"abc"), (61, "deselect"), (70, "select"), (90, "spi", b"d")]
    assert servers[0].operations == servers[1].operations == 7


@pytest.mark.parametrize("ask, answer", [
    (operation(pipe.PIN_READ, 35, 0, 9), b"\x00"),
    (operation(pipe.SPI_READ, 18, 0, 9, size=3), bytes(3)),  # an open line keeps its level
    (operation(pipe.I2C_WRITE, 22, 0x3C, 9, b"a"), b"\x01"),
    (operation(pipe.I2C_WRITE, 22, 0x3D, 9, b"a"), b"\x00"),
    (operation(pipe.I2C_READ, 22, 0x3C, 9, size=2), b"\x01\x01\x02"),
    (operation(pipe.I2C_READ, 22, 0x3D, 9, size=2), b"\x00"),
    (operation(pipe.STEP, 0, 0, 9), b"\x01"),
])
def test_what_is_asked_is_answered(server, ask, answer):
    assert server.feed(ask) == answer
    assert server.world.now_us == 9


def test_a_reset_is_noted_and_never_answered(server):
    assert server.feed(operation(pipe.RESET, 0, 2, 77)) is None
    assert server.reset_cause == 2 and server.world.now_us == 77
    server.feed(operation(pipe.PIN_WRITE, 4, 0, 78)[:5])
    server.begin()
    assert server.reset_cause is None
    assert server.feed(operation(pipe.STEP, 0, 0, 80)) == b"\x01"


def test_an_unknown_operation_and_one_behind_a_question_are_errors(server):
    with pytest.raises(ProtocolError, match="operation 9 is unknown"):
        server.feed(operation(9, 0, 0, 1))
    server.begin()
    with pytest.raises(ProtocolError, match="did not wait"):
        server.feed(operation(pipe.STEP, 0, 0, 1) * 2)

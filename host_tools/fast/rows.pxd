# What the methods of a bytearray do, as C: `declare` puts these names where a source says row.find, row.count,
# row[:] = other, row == other; and raw[at:] of bytes.
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.string cimport memchr, memcmp, memcpy


cdef inline long find_byte(bytearray row, long value, long start=0):
    cdef Py_ssize_t length = len(row)
    cdef char* text = row
    cdef char* found
    if start >= length or value < 0 or value > 255:
        return -1
    found = <char*>memchr(text + start, value, length - start)
    return found - text if found != NULL else -1


cdef inline long count_byte(bytearray row, bytes wanted, long start=0, long end=1 << 30):
    cdef unsigned char* text = row
    cdef unsigned char value = (<const unsigned char*>wanted)[0]
    cdef long count = 0
    cdef long at
    if end > len(row):
        end = len(row)
    for at in range(start, end):
        count += text[at] == value
    return count


cdef inline void copy_row(bytearray row, other) except *:
    cdef char* to
    cdef char* source
    if type(other) is bytearray and len(<bytearray>other) == len(row):
        to = row
        source = <bytearray>other
        memcpy(to, source, len(row))
    elif type(other) is bytes and len(<bytes>other) == len(row):
        to = row
        source = <bytes>other
        memcpy(to, source, len(row))
    else:
        row[:] = other


cdef inline bint equal_rows(bytearray row, bytearray other):
    cdef char* one = row
    cdef char* two = other
    return len(row) == len(other) and memcmp(one, two, len(row)) == 0


cdef inline bytes cut_off(bytes raw, long at):
    cdef char* text = raw
    cdef long length = len(raw)
    if at < 0 or at > length:
        return raw[at:]
    return PyBytes_FromStringAndSize(text + at, length - at)

# What the methods of a bytearray do, as C: `declare` puts these names where a source says row.find, row.count,
# row[:] = other, row == other, row.translate(marks).count(0) == known, and what stands in a record of bytes: raw.find, raw[begin:end].
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


cdef inline int copy_row(bytearray row, other) except -1:
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
    return 0


cdef inline bint equal_rows(bytearray row, bytearray other):
    cdef char* one = row
    cdef char* two = other
    return len(row) == len(other) and memcmp(one, two, len(row)) == 0


cdef inline long count_unmarked(bytearray row, bytearray asked, bytes marks, long count) except -1:
    # row.translate(marks).count(0), if `count` is that of `asked`: only what is unlike is looked at, and copied there.
    cdef unsigned char* text = row
    cdef unsigned char* before = asked
    cdef unsigned char* mark = marks
    cdef Py_ssize_t length = len(row)
    cdef Py_ssize_t at = 0
    cdef Py_ssize_t end
    cdef unsigned long long one, two
    if len(marks) != 256 or len(asked) != length:
        return row.translate(marks).count(0)
    while at < length:
        end = at + 8
        if end <= length:
            memcpy(&one, text + at, 8)
            memcpy(&two, before + at, 8)
            if one == two:
                at = end
                continue
        else:
            end = length
        while at < end:
            if text[at] != before[at]:
                count += (mark[text[at]] == 0) - (mark[before[at]] == 0)
                before[at] = text[at]
            at += 1
    return count


cdef inline long find_line_end(bytes raw, long start) except -2:
    cdef Py_ssize_t length = len(raw)
    cdef char* text = raw
    cdef char* found
    if start < 0:
        return raw.find(b"\n", start)
    if start >= length:
        return -1
    found = <char*>memchr(text + start, 10, length - start)
    return found - text if found != NULL else -1


cdef inline bytes cut_out(bytes raw, long begin, long end):
    cdef char* text = raw
    if begin < 0 or end < begin or end > len(raw):
        return raw[begin:end]
    return PyBytes_FromStringAndSize(text + begin, end - begin)

# What the methods of a bytearray do, as C: `declare` puts these names where a source says row.find, row.count,
# row[:] = other, row == other, row.translate(marks).count(0) == known; what stands in a record of bytes: raw.find,
# raw[begin:end], said.get(raw[begin:end], _UNKNOWN); lists of numbers; and calls of a game's functions.
from cpython cimport array
from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.string cimport memchr, memcmp, memcpy


# A game's functions are called through what its module tells other compiled modules (`__pyx_capi__`), where it is one
# of these: without numbers made objects and back. What was found is kept for the callables that were asked last.
cdef extern from *:
    """
    #ifndef CARDTABLE_ASKED
    #define CARDTABLE_ASKED
    #define ASKED_KEPT 64
    #define ASKED_NEAR 8
    typedef long long (*asked_number)(PyObject *, PyObject *, int);
    typedef PyObject *(*asked_nothing)(PyObject *, PyObject *, int);
    typedef PyObject *(*asked_moves)(PyObject *, long long, long long, PyObject *, int);
    static struct { PyObject *asked; void (*found)(void); } asked_before[ASKED_KEPT];

    static void (*asked_slowly(PyObject *asked, const char *kind))(void) {
        void *found = NULL;
        PyObject *home = NULL, *all = NULL, *capsule;
        if (PyCFunction_CheckExact(asked) && ((PyCFunctionObject *)asked)->m_module) {
            home = PyImport_Import(((PyCFunctionObject *)asked)->m_module);
            all = home ? PyObject_GetAttrString(home, "__pyx_capi__") : NULL;
            capsule = all ? PyDict_GetItemString(all, ((PyCFunctionObject *)asked)->m_ml->ml_name) : NULL;
            if (capsule && PyCapsule_IsValid(capsule, kind)) found = PyCapsule_GetPointer(capsule, kind);
            Py_XDECREF(all);
            Py_XDECREF(home);
            PyErr_Clear();
        }
        return (void (*)(void))found;
    }

    static inline void (*asked_as(PyObject *asked, const char *kind))(void) {
        size_t first = (size_t)((unsigned long long)(size_t)asked * 0x9E3779B97F4A7C15ULL >> 32) % ASKED_KEPT, at = first;
        while (asked_before[at].asked != asked) {
            if (!asked_before[at].asked || at == (first + ASKED_NEAR) % ASKED_KEPT) {
                void (*found)(void) = asked_slowly(asked, kind);
                Py_INCREF(asked);
                Py_XSETREF(asked_before[at].asked, asked);
                return asked_before[at].found = found;
            }
            at = (at + 1) % ASKED_KEPT;
        }
        return asked_before[at].found;
    }

    typedef long long (*asked_verb)(PyObject *, long long, int);
    typedef long long (*asked_state)(PyObject *, int);
    #define ASKED_STATE "struct __pyx_obj_9cardtable_6engine_5state_State *, "
    #define ASKED_EVENT ASKED_STATE "struct __pyx_obj_9cardtable_6engine_5event_Event *, int __pyx_skip_dispatch)"

    static long long said_number(PyObject *said) {
        long long number = said ? PyLong_AsLongLong(said) : -1;
        Py_XDECREF(said);
        return number;
    }

    static long long ask_judge(PyObject *asked, PyObject *state, PyObject *event) {
        asked_number found = (asked_number)asked_as(asked, "PY_LONG_LONG (" ASKED_EVENT);
        if (found) return found(state, event, 0);
        return said_number(PyObject_CallFunctionObjArgs(asked, state, event, NULL));
    }

    static int ask_two(PyObject *asked, PyObject *one, PyObject *two, const char *kind) {
        asked_nothing found = (asked_nothing)asked_as(asked, kind);
        PyObject *said;
        said = found ? found(one, two, 0) : PyObject_CallFunctionObjArgs(asked, one, two, NULL);
        Py_XDECREF(said);
        return said ? 0 : -1;
    }

    static int ask_enact(PyObject *asked, PyObject *state, PyObject *event) {
        return ask_two(asked, state, event, "PyObject *(" ASKED_EVENT);
    }

    static int ask_waiting(PyObject *asked, PyObject *state, PyObject *out) {
        return ask_two(asked, state, out, "PyObject *(" ASKED_STATE "PyObject *, int __pyx_skip_dispatch)");
    }

    static long long ask_undoes(PyObject *asked, PyObject *state, long long verb) {
        asked_verb found = (asked_verb)asked_as(
            asked, "PY_LONG_LONG (struct __pyx_obj_9cardtable_6engine_5state_State *, PY_LONG_LONG, int __pyx_skip_dispatch)");
        return found ? found(state, verb, 0) : said_number(PyObject_CallFunction(asked, "OL", state, verb));
    }

    static long long ask_number(PyObject *asked, PyObject *state) {
        asked_state found = (asked_state)asked_as(asked, "PY_LONG_LONG (" ASKED_STATE "int __pyx_skip_dispatch)");
        return found ? found(state, 0) : said_number(PyObject_CallFunctionObjArgs(asked, state, NULL));
    }

    static int append_number(PyObject *row, long long value);

    /* A function in the place of a game's own may be Python's, and gets a list. */
    static int ask_moves_slowly(PyObject *asked, PyObject *state, long long seat, long long now_ms, PyObject *out) {
        PyObject *list = PyList_New(0), *said = NULL;
        Py_ssize_t at;
        int failed = !list || !(said = PyObject_CallFunction(asked, "OLLO", state, seat, now_ms, list));
        for (at = 0; !failed && at < PyList_GET_SIZE(list); at++) {
            long long packed = PyLong_AsLongLong(PyList_GET_ITEM(list, at));
            failed = packed == -1 && PyErr_Occurred() || append_number(out, packed);
        }
        Py_XDECREF(said);
        Py_XDECREF(list);
        return failed ? -1 : 0;
    }

    static int ask_moves(PyObject *asked, PyObject *state, long long seat, long long now_ms, PyObject *out) {
        asked_moves found = (asked_moves)asked_as(
            asked, "PyObject *(" ASKED_STATE "PY_LONG_LONG, PY_LONG_LONG, PyObject *, int __pyx_skip_dispatch)");
        PyObject *said;
        if (!found) return ask_moves_slowly(asked, state, seat, now_ms, out);
        said = found(state, seat, now_ms, out, 0);
        Py_XDECREF(said);
        return said ? 0 : -1;
    }
    #endif
    """
    long long ask_judge(object asked, object state, object event) except? -1
    long long ask_undoes(object asked, object state, long long verb) except? -1
    long long ask_number(object asked, object state) except? -1
    int ask_enact(object asked, object state, object event) except -1
    int ask_waiting(object asked, object state, object out) except -1
    int ask_moves(object asked, object state, long long seat, long long now_ms, object out) except -1


# Lists of packed moves and of numbers of acts that belong to the program alone are bytearrays of whole numbers of four
# bytes in what is compiled (`_COUNTED` in declare.py); those of others stay lists. `declare` puts append_number where a
# source says out.append(... << 16 ...). A list takes the numbers that were in one before: there are few, and each new one
# would be an object made and given back.
cdef extern from *:
    """
    #ifndef CARDTABLE_NUMBERS
    #define CARDTABLE_NUMBERS
    #define NUMBER_BITS 11
    static struct { PyObject *number; long long value; } number_kept[1 << NUMBER_BITS];

    static PyObject *keep_number(long long value) {
        size_t at = (size_t)((unsigned long long)value * 0x9E3779B97F4A7C15ULL >> (64 - NUMBER_BITS));
        PyObject *number = number_kept[at].number;
        if (!number || number_kept[at].value != value) {
            if (!(number = PyLong_FromLongLong(value))) return NULL;
            Py_XSETREF(number_kept[at].number, number);
            number_kept[at].value = value;
        }
        return number;
    }

    static int append_elsewhere(PyObject *row, long long value) {
        PyObject *number;
        Py_ssize_t length = Py_SIZE(row);
        if (PyByteArray_CheckExact(row)) {  /* it is full */
            if (PyByteArray_Resize(row, 2 * length + 64)) return -1;
            Py_SET_SIZE(row, length);
            return append_number(row, value);
        }
        if (!(number = keep_number(value))) return -1;
        if (!PyList_CheckExact(row) || length >= ((PyListObject *)row)->allocated) return PyList_Append(row, number);
        Py_INCREF(number);
        PyList_SET_ITEM(row, length, number);
        Py_SET_SIZE(row, length + 1);
        return 0;
    }

    static inline int append_number(PyObject *row, long long value) {
        Py_ssize_t length = Py_SIZE(row);
        if (!PyByteArray_CheckExact(row) || length + 4 >= ((PyByteArrayObject *)row)->ob_alloc)
            return append_elsewhere(row, value);
        *(int *)(((PyByteArrayObject *)row)->ob_start + length) = (int)value;  /* PyByteArray_AS_STRING may be another */
        Py_SET_SIZE(row, length + 4);
        return 0;
    }

    /* row.clear() that keeps the room: it is filled again at once, with as many. */
    static inline int empty_numbers(PyObject *row) {
        Py_SET_SIZE(row, 0);
        return 0;
    }

    static int has_number(PyObject *row, long long value) {
        const int *number = (const int *)PyByteArray_AS_STRING(row), *end = number + Py_SIZE(row) / 4;
        while (number < end)
            if (*number++ == value) return 1;
        return 0;
    }

    /* number_acts of minds/environments/steps.py, with the numbers by arithmetic. */
    static int number_found(PyObject *found, PyObject *acts, PyObject *numbering, long long by_chance) {
        const unsigned char *rows = (const unsigned char *)PyBytes_AS_STRING(numbering), *row;
        const int *next = (const int *)PyByteArray_AS_STRING(found), *end = next + Py_SIZE(found) / 4;
        long long packed, verbs = PyBytes_GET_SIZE(numbering) / 4;
        while (next < end) {
            packed = *next++;
            if (packed < 0 || packed >> 16 >= verbs) {
                PyErr_Format(PyExc_KeyError, "%lld", packed);
                return -1;
            }
            if (by_chance >> (packed >> 16) & 1) continue;
            row = rows + (packed >> 16 << 2);
            if (append_number(acts, row[0] + (row[1] << 8) + (packed >> 8 & 255) * row[2] + (packed & 255) * row[3]))
                return -1;
        }
        return 0;
    }

    /* list_numbers of steps.py. */
    static PyObject *told_numbers(PyObject *row, int waits) {
        const int *next = (const int *)PyByteArray_AS_STRING(row);
        Py_ssize_t at = 0, length = Py_SIZE(row) / 4 + waits;
        PyObject *told = PyList_New(length), *number;
        for (; told && at < length; at++) {
            if (!(number = keep_number(at < waits ? 0 : *next++))) Py_CLEAR(told);
            else {
                Py_INCREF(number);
                PyList_SET_ITEM(told, at, number);
            }
        }
        return told;
    }

    /* write_numbers of steps.py. */
    static int numbers_written(PyObject *row, long long at, PyObject *numbers) {
        const int *next = (const int *)PyByteArray_AS_STRING(numbers), *end = next + Py_SIZE(numbers) / 4;
        unsigned char *to = (unsigned char *)PyByteArray_AS_STRING(row) + at;
        if (at < 0 || at + 2 * (end - next) > Py_SIZE(row)) {
            PyErr_SetString(PyExc_IndexError, "there is no room for these numbers");
            return -1;
        }
        for (; next < end; next++) {
            *to++ = *next & 255;
            *to++ = *next >> 8;
        }
        return 0;
    }
    #endif
    """
    int append_number(object row, long long value) except -1
    int empty_numbers(bytearray row) except -1
    bint has_number(bytearray row, long long value)
    int number_found(bytearray found, bytearray acts, bytes numbering, long long by_chance) except -1
    list told_numbers(bytearray row, int waits)
    int numbers_written(bytearray row, long long at, bytearray numbers) except -1


cdef inline long long count_numbers(bytearray row):
    return len(row) // 4


cdef inline int* numbers_in(bytearray row):
    return <int*>PyByteArray_AS_STRING(row)


cdef inline long long take_number(bytearray row, long long at) except? -1:
    if at < 0 or at >= count_numbers(row):
        raise IndexError(at)
    return numbers_in(row)[at]


# The first bytes of a row, to go through them: `for card in ROW[:count]`.
cdef inline unsigned char* bytes_in(bytearray row):
    return <unsigned char*>PyByteArray_AS_STRING(row)


# Of many games that are stepped one after the other each has left the processor's cache when its turn comes again. While
# one is stepped, let the processor fetch what those behind it will be asked for: one pointer further of each of them, so
# no pointer is waited for. A macro, for steps.py alone has these classes; a state's register stands behind its places.
cdef extern from *:
    """
    #ifndef CARDTABLE_AHEAD
    #define CARDTABLE_AHEAD
    #ifdef __GNUC__
    #define FETCH(at) __builtin_prefetch((const char *)(at), 1)
    #else
    #define FETCH(at) ((void)(at))
    #endif
    static inline void fetch_bytes(const void *at, Py_ssize_t size) {
        const char *line = (const char *)((size_t)at & ~(size_t)63), *end = (const char *)at + size;
        for (; line < end; line += 64) FETCH(line);
    }

    static inline void fetch_row(PyObject *row) {
        fetch_bytes(((PyByteArrayObject *)row)->ob_start, Py_SIZE(row));
    }

    #define FETCHED(games, at) ((struct __pyx_obj_10host_tools_5minds_12environments_5steps_Steps *)PyList_GET_ITEM(games, at))
    #define fetch_ahead(games, index, legal, room) do { \\
        Py_ssize_t at = (index), left = PyList_GET_SIZE(games) - at; \\
        if (left > 9) fetch_bytes(FETCHED(games, at + 9), sizeof(*FETCHED(games, 0))); \\
        if (left > 7) { \\
            fetch_bytes(FETCHED(games, at + 7)->played, sizeof(*FETCHED(games, 0)->played)); \\
            FETCH(FETCHED(games, at + 7)->said); \\
            FETCH(FETCHED(games, at + 7)->done); \\
            FETCH(FETCHED(games, at + 7)->waited); \\
            FETCH(FETCHED(games, at + 7)->found); \\
            FETCH(FETCHED(games, at + 7)->acts_now); \\
            FETCH(FETCHED(games, at + 7)->acts_next); \\
        } \\
        if (left > 5) { \\
            fetch_bytes(FETCHED(games, at + 5)->played->session, sizeof(*FETCHED(games, 0)->played->session)); \\
            fetch_bytes(FETCHED(games, at + 5)->played->event, sizeof(*FETCHED(games, 0)->played->event)); \\
            fetch_row(FETCHED(games, at + 5)->waited); \\
            fetch_row(FETCHED(games, at + 5)->found); \\
            fetch_row(FETCHED(games, at + 5)->acts_now); \\
            fetch_row(FETCHED(games, at + 5)->acts_next); \\
            FETCH(((PyListObject *)FETCHED(games, at + 5)->done)->ob_item + Py_SIZE(FETCHED(games, at + 5)->done)); \\
        } \\
        if (left > 4) { \\
            FETCH(FETCHED(games, at + 4)->played->deck); \\
            FETCH(*(long long **)((PyVarObject *)FETCHED(games, at + 4)->said + 1) + Py_SIZE(FETCHED(games, at + 4)->said)); \\
            FETCH(FETCHED(games, at + 4)->played->session->state); \\
            FETCH(FETCHED(games, at + 4)->played->session->before); \\
        } \\
        if (left > 3) { \\
            fetch_bytes(((PyByteArrayObject *)(legal))->ob_start + (at + 3) * (room), 64); \\
            FETCH(FETCHED(games, at + 3)->played->session->state->where); \\
            FETCH((&FETCHED(games, at + 3)->played->session->state->where)[1]); \\
            FETCH(FETCHED(games, at + 3)->played->session->before->where); \\
            FETCH((&FETCHED(games, at + 3)->played->session->before->where)[1]); \\
        } \\
        if (left > 2) { \\
            FETCH(((PyListObject *)FETCHED(games, at + 2)->played->deck)->ob_item \\
                  + Py_SIZE(FETCHED(games, at + 2)->played->deck) - 1); \\
            fetch_row(FETCHED(games, at + 2)->played->session->state->where); \\
            fetch_row((&FETCHED(games, at + 2)->played->session->state->where)[1]); \\
            fetch_row(FETCHED(games, at + 2)->played->session->before->where); \\
            fetch_row((&FETCHED(games, at + 2)->played->session->before->where)[1]); \\
        } \\
    } while (0)
    #endif
    """
    void fetch_ahead(list games, long long index, bytearray legal, long long room)


cdef inline long long find_byte(bytearray row, long long value, long long start=0):
    cdef Py_ssize_t length = len(row)
    cdef char* text = PyByteArray_AS_STRING(row)
    cdef char* found
    if start >= length or value < 0 or value > 255:
        return -1
    found = <char*>memchr(text + start, value, length - start)
    return found - text if found != NULL else -1


cdef extern from *:
    """
    #ifndef CARDTABLE_EQUAL
    #define CARDTABLE_EQUAL
    #include <string.h>
    #ifdef __SSE2__
    #include <emmintrin.h>
    #endif
    #define LOW_BITS 0x7F7F7F7F7F7F7F7FULL
    /* How many of these bytes are equal to one, eight at once: of each byte its highest bit becomes 0 where it is. */
    static long long count_equal(const unsigned char *text, long long length, unsigned char value) {
        unsigned long long eight, all = value * 0x0101010101010101ULL;
        long long count = 0;
    #ifdef __SSE2__
        __m128i wanted = _mm_set1_epi8((char)value), found = _mm_setzero_si128();
        for (; length >= 16; length -= 16, text += 16) {
            found = _mm_sub_epi8(found, _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)text), wanted));
            if (!(length >> 4 & 127)) {  /* before a byte of it is full */
                found = _mm_sad_epu8(found, _mm_setzero_si128());
                count += _mm_extract_epi16(found, 0) + _mm_extract_epi16(found, 4);
                found = _mm_setzero_si128();
            }
        }
        found = _mm_sad_epu8(found, _mm_setzero_si128());
        count += _mm_extract_epi16(found, 0) + _mm_extract_epi16(found, 4);
    #endif
        for (; length >= 8; length -= 8, text += 8) {
            memcpy(&eight, text, 8);
            eight ^= all;
            eight = ~(((eight & LOW_BITS) + LOW_BITS) | eight | LOW_BITS);
            count += (eight >> 7) * 0x0101010101010101ULL >> 56;
        }
        while (length-- > 0) count += *text++ == value;
        return count;
    }

    /* How many bytes of the text have a mark of 1 or more; there are 256 marks. */
    static long long count_all_marked(const unsigned char *text, long long length, const unsigned char *marks) {
        long long count = 0;
        while (length-- > 0) count += marks[*text++] != 0;
        return count;
    }
    #endif
    """
    long long count_equal(unsigned char* text, long long length, unsigned char value)
    long long count_all_marked(unsigned char* text, long long length, unsigned char* marks)


cdef inline long long count_byte(bytearray row, bytes wanted, long long start=0, long long end=1 << 30):
    cdef unsigned char* text = <unsigned char*>PyByteArray_AS_STRING(row)
    cdef unsigned char value = (<const unsigned char*>PyBytes_AS_STRING(wanted))[0]
    if end > len(row):
        end = len(row)
    return count_equal(text + start, end - start, value)


cdef inline long long count_marked_in(bytearray row, bytes marks) except -1:
    if len(marks) != 256:
        return row.translate(marks).count(1)
    return count_all_marked(
        <unsigned char*>PyByteArray_AS_STRING(row), len(row), <unsigned char*>PyBytes_AS_STRING(marks))


cdef inline int append_eight(array.array row, long long value) except -1:
    cdef Py_ssize_t length = len(row)
    if row.ob_descr.itemsize != 8:
        row.append(value)
        return 0
    array.resize_smart(row, length + 1)
    (<long long*>row.data.as_voidptr)[length] = value
    return 0


cdef inline int copy_row(bytearray row, other) except -1:
    cdef char* to
    cdef char* source
    if type(other) is bytearray and len(<bytearray>other) == len(row):
        to = PyByteArray_AS_STRING(row)
        source = PyByteArray_AS_STRING(other)
        memcpy(to, source, len(row))
    elif type(other) is bytes and len(<bytes>other) == len(row):
        to = PyByteArray_AS_STRING(row)
        source = PyBytes_AS_STRING(other)
        memcpy(to, source, len(row))
    else:
        row[:] = other
    return 0


cdef inline bint equal_rows(bytearray row, bytearray other):
    cdef char* one = PyByteArray_AS_STRING(row)
    cdef char* two = PyByteArray_AS_STRING(other)
    return len(row) == len(other) and memcmp(one, two, len(row)) == 0


cdef extern from *:
    """
    #ifndef CARDTABLE_CHANGED
    #define CARDTABLE_CHANGED
    #include <string.h>
    /* By how much the bytes without a mark have become more; `before` becomes `text`. Eight bytes at once; which eights are
       unlike is found without a branch, as nobody can foretell it. The last eight may have been looked at before. */
    static long long count_changed(const unsigned char *text, unsigned char *before, const unsigned char *mark,
                                   long long length) {
        long long count = 0, at = 0;
    #if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        unsigned long long one, two, unlike = 0;
        long long last = length - 8, eights = (length + 7) / 8, bit;
        if (last >= 0 && eights <= 64) {
            for (at = last, eights--; eights >= 0; at = 8 * --eights) {
                memcpy(&one, text + at, 8);
                memcpy(&two, before + at, 8);
                unlike = unlike << 1 | (one != two);
            }
            for (; unlike; unlike &= unlike - 1) {
                at = 8 * __builtin_ctzll(unlike);
                if (at > last) at = last;
                memcpy(&one, text + at, 8);
                memcpy(&two, before + at, 8);
                for (one ^= two; one; one &= ~(255ULL << bit)) {
                    bit = __builtin_ctzll(one) & ~7;
                    long long here = at + bit / 8;
                    count += (mark[text[here]] == 0) - (mark[before[here]] == 0);
                    before[here] = text[here];
                }
            }
            return count;
        }
    #endif
        for (; at < length; at++) {
            if (text[at] != before[at]) {
                count += (mark[text[at]] == 0) - (mark[before[at]] == 0);
                before[at] = text[at];
            }
        }
        return count;
    }
    #endif
    """
    long long count_changed(unsigned char* text, unsigned char* before, unsigned char* mark, long long length)


cdef inline long long count_unmarked(bytearray row, bytearray asked, bytes marks, long long count) except -1:
    # row.translate(marks).count(0), if `count` is that of `asked`: only what is unlike is looked at, and copied there.
    if len(marks) != 256 or len(asked) != len(row):
        return row.translate(marks).count(0)
    return count + count_changed(
        <unsigned char*>PyByteArray_AS_STRING(row), <unsigned char*>PyByteArray_AS_STRING(asked),
        <unsigned char*>PyBytes_AS_STRING(marks), len(row)
    )


# A text that was looked up is found again without a hash and a bytes object: `seen` has room for SEEN of them, of
# at most LETTERS bytes, each in one of WAYS places that its bytes say, with its length and what it means. A place is one
# line of the processor's cache; the one that the next line asks for is fetched while this line is played. `declare` puts
# it where quick.py asks a dict.
cdef extern from *:
    """
    #ifndef CARDTABLE_SEEN
    #define CARDTABLE_SEEN
    #include <stdint.h>
    #include <string.h>
    #define SEEN 8192
    #define WAYS 4
    #define LETTERS 40
    #define MIX 0x9E3779B97F4A7C15ULL
    typedef struct { unsigned long long text[LETTERS / 8]; unsigned int length, said; unsigned char room[16]; } seen_text;
    static const char letters_kept[2 * LETTERS + 1] =
        "\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377"
        "\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377";

    static inline int is_seen(const seen_text *one, const seen_text *other) {
        const unsigned long long *a = one->text, *b = other->text;
        unsigned long long unlike = a[0] ^ b[0] | a[1] ^ b[1] | a[2] ^ b[2] | a[3] ^ b[3] | a[4] ^ b[4];
        return !(unlike | one->length ^ other->length) && one->said;
    }

    static inline unsigned long long cut_eight(const char *text, long long length, int at) {
        unsigned long long eight, kept;
        memcpy(&eight, text + at, 8);
        memcpy(&kept, letters_kept + LETTERS - length + at, 8);
        return eight & kept;
    }

    /* Fill `asked` with the text of that length; its first place. `left`: how much may be read. */
    static inline seen_text *place_of(char *seen, const char *text, long long length, long long left, seen_text *asked) {
        unsigned long long *to = asked->text;
        char *first = seen + (-(uintptr_t)seen & WAYS * sizeof(seen_text) - 1), copied[LETTERS];
        if (left < LETTERS) text = memcpy(copied, text, length);
        to[0] = cut_eight(text, length, 0);
        to[1] = cut_eight(text, length, 8);
        to[2] = cut_eight(text, length, 16);
        to[3] = cut_eight(text, length, 24);
        to[4] = cut_eight(text, length, 32);
        asked->length = (unsigned int)length;
        return (seen_text *)first + ((to[0] ^ to[2] ^ (to[1] ^ to[3] ^ to[4]) * MIX) * MIX >> 51);
    }

    /* Where the text stands, or might stand: WAYS places begin where their number of bytes divides the address. */
    static inline seen_text *find_seen(char *seen, const char *text, long long length, long long left, seen_text *asked) {
        seen_text *first = place_of(seen, text, length, left, asked), *place = first;
        uintptr_t way;
        for (way = 1; !is_seen(place, asked) && place->said && way < WAYS; way++)
            place = (seen_text *)((uintptr_t)first ^ way * sizeof(seen_text));
        return place;
    }

    /* Let the processor fetch the place of the text behind the next line's time, while this line is played. */
    static inline void look_ahead(char *seen, const char *line, long long left) {
    #ifdef __GNUC__
        seen_text asked;
        const char *text = left > 12 ? memchr(line, ' ', 12) : NULL, *end;
        if (!text++) return;
        left -= text - line;
        end = memchr(text, 10, left < LETTERS ? left : LETTERS);
        if (end) __builtin_prefetch(place_of(seen, text, end - text, left, &asked));
    #endif
    }
    #endif
    """
    enum: SEEN
    enum: LETTERS
    enum: WAYS
    ctypedef struct seen_text:
        unsigned int said
    bint is_seen(seen_text* one, seen_text* other)
    seen_text* find_seen(char* seen, char* text, long long length, long long left, seen_text* asked)
    void look_ahead(char* seen, char* line, long long left)


cdef inline long long find_text(dict said, bytearray seen, bytes raw, long long begin, long long end) except? -1:
    cdef seen_text asked
    cdef seen_text* place
    cdef long long known
    if begin < 0 or end < begin or end > len(raw) or end - begin > LETTERS:
        return said.get(raw[begin:end], -1)
    if not len(seen):
        seen.extend(bytes((SEEN + WAYS) * sizeof(seen_text)))
    place = find_seen(
        PyByteArray_AS_STRING(seen), PyBytes_AS_STRING(raw) + begin, end - begin, len(raw) - begin, &asked)
    look_ahead(PyByteArray_AS_STRING(seen), PyBytes_AS_STRING(raw) + end, len(raw) - end)
    if is_seen(place, &asked):
        return <long long>place.said - 1
    known = said.get(raw[begin:end], -1)
    if known >= 0:
        place[0] = asked
        place.said = <unsigned int>(known + 1)
    return known


cdef inline long long find_line_end(bytes raw, long long start) except -2:
    cdef Py_ssize_t length = len(raw)
    cdef char* text = PyBytes_AS_STRING(raw)
    cdef char* found
    if start < 0:
        return raw.find(b"\n", start)
    if start >= length:
        return -1
    found = <char*>memchr(text + start, 10, length - start)
    return found - text if found != NULL else -1


cdef inline bytes cut_out(bytes raw, long long begin, long long end):
    cdef char* text = PyBytes_AS_STRING(raw)
    if begin < 0 or end < begin or end > len(raw):
        return raw[begin:end]
    return PyBytes_FromStringAndSize(text + begin, end - begin)

/* Elements in memory as values, and which of them differ from those last seen. */
#include "base/compat.h"
#include "base/allocate.h"
#include "buffers/buffers.h"
#include "emit/content.h"
#include "emit/emit.h"
#include "emit/event.h"
#include "emit/events.h"
#include "shadow/encode.h"
#include "shadow/first_sight.h"
#include <string.h>
#include <stdio.h>

int element_code(char kind, size_t size)
{
    static const struct {
        char kind;
        size_t size;
        char code;
    } codes[] = {{'i', 1, 'b'},  {'i', 2, 'h'}, {'i', 4, 'i'},
                 {'i', 8, 'q'},  {'u', 1, 'B'}, {'u', 2, 'H'},
                 {'u', 4, 'I'},  {'u', 8, 'Q'}, {'f', 2, 'e'},
                 {'f', 4, 'f'},  {'f', 8, 'd'}, {'c', 8, 'F'},
                 {'c', 16, 'D'}, {'b', 1, '?'}, {'f', sizeof(long double), 'g'}};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        if (codes[i].kind == kind && codes[i].size == size)
            return codes[i].code;
    }
    return kind != 0 && strchr("SUMmO", kind) != NULL ? kind : 'V';
}

/* Of these a run can be written as bytes. */
static bool is_plain(const Elements *e)
{
    return !e->swapped && e->code != 0 && strchr("?bBhHiIqQefdw", e->code) != NULL;
}

/* -- numbers --------------------------------------------------------------------------------------------------- */

static Value real(double d)
{
    Value out = {TAG_FLOAT, 0};
    memcpy(&out.bits, &d, 8);
    return out;
}

static uint64_t word(const char *at, size_t size)
{
    uint64_t bits = 0;
    memcpy(&bits, at, size);
    return bits;
}

/* Most elements; false: it takes an object to tell this one. */
static bool quick_value(int code, const char *at, size_t size, Value *out)
{
    float f;
    double d;
    long double g;
    switch (code) {
    case '?':
        *out = (Value){TAG_CONST, *at ? CONST_TRUE : CONST_FALSE};
        return true;
    case 'b':
    case 'h':
    case 'i':
    case 'q':
        *out = INT_VALUE((int64_t)(word(at, size) << (64 - 8 * size)) >> (64 - 8 * size));
        return true;
    case 'B':
    case 'H':
    case 'I':
    case 'Q':
        *out = INT_VALUE(word(at, size));
        return !(out->bits >> 63);
    case 'w':
        *out = (Value){TAG_CHAR, word(at, 4)};
        if (out->bits > 0x10FFFF)
            out->tag = TAG_INT;
        return true;
    case 'e':
        *out = real(PyFloat_Unpack2(at, 1));
        return true;
    case 'f':
        memcpy(&f, at, 4);
        *out = real((double)f);
        return true;
    case 'd':
        memcpy(&d, at, 8);
        *out = real(d);
        return true;
    case 'g':
        memcpy(&g, at, sizeof g);
        *out = real((double)g);
        return true;
    default:
        return false;
    }
}

static PyObject *number_object(Value v)
{
    double d;
    memcpy(&d, &v.bits, 8);
    return v.tag == TAG_FLOAT   ? PyFloat_FromDouble(d)
           : v.tag == TAG_CONST ? PyBool_FromLong(v.bits == CONST_TRUE)
                                : PyLong_FromLongLong((long long)v.bits);
}

static PyObject *complex_object(int code, const char *at)
{
    double parts[2];
    float halves[2];
    if (code == 'D')
        memcpy(parts, at, 16);
    else {
        memcpy(halves, at, 8);
        parts[0] = halves[0];
        parts[1] = halves[1];
    }
    return PyComplex_FromDoubles(parts[0], parts[1]);
}

/* -- texts: padded with zeros, which do not count ------------------------------------------------------------------ */

static PyObject *bytes_object(const char *at, size_t size)
{
    while (size > 0 && at[size - 1] == 0)
        size--;
    return PyBytes_FromStringAndSize(at, (Py_ssize_t)size);
}

static PyObject *text_object(const char *at, size_t size)
{
    size_t n = size / 4;
    while (n > 0 && word(at + 4 * (n - 1), 4) == 0)
        n--;
    for (size_t i = 0; i < n; i++) {
        if (word(at + 4 * i, 4) > 0x10FFFF)
            return PyBytes_FromStringAndSize(at, (Py_ssize_t)size);
    }
    Py_UCS4 *points = allocate(n + 1, 4); /* `at` may not be aligned */
    if (points == NULL)
        return PyErr_NoMemory();
    memcpy(points, at, 4 * n);
    PyObject *text = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, points, (Py_ssize_t)n);
    release(points);
    return text;
}

/* -- times: a date as text, as numpy shows it ------------------------------------------------------------------------ */

static int64_t floor_div(int64_t a, int64_t b, int64_t *rest)
{
    int64_t q = a / b;
    *rest = a % b;
    if (*rest < 0) {
        *rest += b;
        q--;
    }
    return q;
}

/* The date so many days after 1970-01-01: 400 years from a first of March on are 146,097 days. */
static int print_day(char *text, size_t room, int64_t days)
{
    int64_t day, era = floor_div(days + 719468, 146097, &day);
    int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    int64_t of_year = day - (365 * year + year / 4 - year / 100);
    int month = (int)((5 * of_year + 2) / 153); /* 0: March */
    int of_month = (int)(of_year - (153 * month + 2) / 5) + 1;
    month = month < 10 ? month + 3 : month - 9;
    return snprintf(text, room, "%04lld-%02d-%02d", (long long)(era * 400 + year + (month <= 2)), month,
                    of_month);
}

/* How many units a second has (0: units are longer), and the digits of its fraction. */
static int64_t per_second(int unit, int *digits)
{
    *digits = unit == TIME_MS ? 3 : unit == TIME_US ? 6 : unit == TIME_NS ? 9 : 0;
    return unit == TIME_MS ? 1000 : unit == TIME_US ? 1000000 : unit == TIME_NS ? 1000000000 : unit == 's';
}

static int print_time(char *text, size_t room, int unit, int64_t n)
{
    int digits;
    int64_t rest, fraction = 0, seconds, ticks = per_second(unit, &digits);
    if (ticks > 0)
        seconds = floor_div(n, ticks, &fraction);
    else
        seconds = n * (unit == 'h' ? 3600 : 60);
    int size = print_day(text, room, floor_div(seconds, 86400, &rest));
    int hour = (int)(rest / 3600), minute = (int)(rest / 60 % 60), second = (int)(rest % 60);
    size += snprintf(text + size, room - (size_t)size, "T%02d", hour);
    if (unit != 'h')
        size += snprintf(text + size, room - (size_t)size, ":%02d", minute);
    if (ticks > 0)
        size += snprintf(text + size, room - (size_t)size, ":%02d", second);
    if (digits > 0)
        size += snprintf(text + size, room - (size_t)size, ".%0*lld", digits, (long long)fraction);
    return size;
}

/* A datetime64; the number itself where the unit is too fine or the date too far for a calendar. */
static PyObject *datetime_object(const Elements *e, int64_t n)
{
    char text[80];
    int64_t rest, limit = INT64_MAX / 4000;
    int size;
    if (__builtin_mul_overflow(n, (int64_t)e->steps, &n) || e->unit == 0)
        return PyLong_FromLongLong(n);
    if ((n > limit || n < -limit) && e->unit > TIME_NS)
        return PyLong_FromLongLong(n);
    if (e->unit == 'Y')
        size = snprintf(text, sizeof text, "%04lld", (long long)n + 1970);
    else if (e->unit == 'M') {
        int64_t year = floor_div(n, 12, &rest);
        size = snprintf(text, sizeof text, "%04lld-%02d", (long long)year + 1970, (int)rest + 1);
    }
    else if (e->unit == 'D' || e->unit == 'W')
        size = print_day(text, sizeof text, e->unit == 'W' ? n * 7 : n);
    else
        size = print_time(text, sizeof text, e->unit, n);
    return PyUnicode_FromStringAndSize(text, size);
}

static PyObject *time_object(const Elements *e, const char *at)
{
    int64_t n = (int64_t)word(at, 8);
    if (n == INT64_MIN)
        return PyUnicode_FromString("NaT");
    return e->code == 'M' ? datetime_object(e, n) : PyLong_FromLongLong(n);
}

/* -- any element --------------------------------------------------------------------------------------------------------- */

static PyObject *element_object(const Elements *e, const char *at);

static PyObject *record_object(const Elements *e, const char *at)
{
    PyObject *tuple = PyTuple_New(e->field_count);
    for (int i = 0; tuple != NULL && i < e->field_count; i++) {
        PyObject *value = element_object(&e->fields[i].elements, at + e->fields[i].offset);
        if (value == NULL)
            Py_CLEAR(tuple);
        else
            PyTuple_SET_ITEM(tuple, i, value);
    }
    return tuple;
}

/* An element in the order of this machine. */
static PyObject *native_object(const Elements *e, const char *at)
{
    Value quick;
    if (e->field_count > 0)
        return record_object(e, at);
    if (quick_value(e->code, at, e->size, &quick))
        return number_object(quick);
    switch (e->code) {
    case 'Q':
        return PyLong_FromUnsignedLongLong(word(at, 8));
    case 'F':
    case 'D':
        return complex_object(e->code, at);
    case 'S':
        return bytes_object(at, e->size);
    case 'U':
        return text_object(at, e->size);
    case 'M':
    case 'm':
        return time_object(e, at);
    case 'O':
        return *(PyObject **)at == NULL ? Py_NewRef(Py_None) : Py_NewRef(*(PyObject **)at);
    default:
        return PyBytes_FromStringAndSize(at, (Py_ssize_t)e->size);
    }
}

/* The size of what has a byte order: half a complex number, a character of a text. */
static size_t ordered_size(const Elements *e)
{
    return e->code == 'U' ? 4 : e->code == 'F' ? 4 : e->code == 'D' ? 8 : e->size;
}

static PyObject *swapped_object(const Elements *e, const char *at)
{
    char *copy = allocate(e->size + 1, 1);
    if (copy == NULL)
        return PyErr_NoMemory();
    size_t unit = ordered_size(e);
    for (size_t i = 0; i < e->size; i++)
        copy[i / unit * unit + unit - 1 - i % unit] = at[i];
    PyObject *o = native_object(e, copy);
    release(copy);
    return o;
}

static PyObject *element_object(const Elements *e, const char *at)
{
    return e->swapped ? swapped_object(e, at) : native_object(e, at);
}

Value element_value(const Elements *e, const char *at)
{
    Value out = NO_VALUE;
    if (!e->swapped && quick_value(e->code, at, e->size, &out))
        return out;
    int collecting = PyGC_Disable(); /* a collection may run code of the program */
    PyObject *o = element_object(e, at);
    if (o == NULL)
        drop_error();
    else {
        if (e->field_count > 0)
            explore_keep(o); /* a tuple: it must live until it is written out */
        out = encode(o);
        Py_DECREF(o);
    }
    if (collecting)
        PyGC_Enable();
    return out;
}

/* -- runs -------------------------------------------------------------------------------------------------------------------- */

void elements_tell(int kind, Where at, uint64_t oid, const Elements *e, size_t from, size_t n,
                   const char *now)
{
    if (n > 1 && is_plain(e)) {
        Value bytes = content_bytes(now, n * e->size);
        emit(kind, at, oid, (Value){e->code, from}, bytes);
        return;
    }
    int one = (kind & ~EV_SEEN) == EV_PATCH ? EV_ITEM : EV_INSERT;
    for (size_t i = 0; i < n; i++) {
        Value value = element_value(e, now + i * e->size);
        emit(one | (kind & EV_SEEN), at, oid, INT_VALUE(from + i), value);
    }
}

#define BLOCK 64 /* elements that are compared at once */

bool elements_compare(Where at, uint64_t oid, const Elements *e, size_t from, size_t n, const char *now,
                      char *old)
{
    size_t size = e->size;
    if (n == 0 || memcmp(now, old, n * size) == 0)
        return false;
    for (size_t i = 0; i < n;) {
        if (n - i >= BLOCK && memcmp(now + i * size, old + i * size, BLOCK * size) == 0) {
            i += BLOCK;
            continue;
        }
        size_t end = i;
        while (end < n && memcmp(now + end * size, old + end * size, size) != 0)
            end++;
        if (end > i) {
            elements_tell(EV_PATCH, at, oid, e, from + i, end - i, now + i * size);
            memcpy(old + i * size, now + i * size, (end - i) * size);
        }
        i = end + 1;
    }
    return true;
}

/* -- slices ------------------------------------------------------------------------------------------------------------------ */

static bool is_plain_bound(PyObject *v)
{
    return v == Py_None || PyLong_CheckExact(v);
}

bool plain_slice(PyObject *key, size_t length, Py_ssize_t *start, Py_ssize_t *step, size_t *count)
{
    PySliceObject *slice = (PySliceObject *)key;
    Py_ssize_t stop;
    if (!PySlice_Check(key) || !is_plain_bound(slice->start) || !is_plain_bound(slice->stop) ||
        !is_plain_bound(slice->step)) /* __index__ of others would run code of the program */
        return false;
    if (PySlice_Unpack(key, start, &stop, step) < 0) {
        drop_error();
        return false;
    }
    *count = (size_t)PySlice_AdjustIndices((Py_ssize_t)length, start, &stop, *step);
    return true;
}

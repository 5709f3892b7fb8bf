/* Checks of rows: a hash of the values of each, without BLOBs (wrongcall/trace/format/checksums.py says what for). */
#include "packing.h"

#define SEED 0x9E3779B97F4A7C15u
#define FACTOR 0xD6E8FEB86659FD93u
#define CHECK_MASK (UINT64_MAX >> 1)

/* How each value begins. */
enum { NULL_VALUE = 1, NUMBER = 2, REAL = 3, TEXT = 4 };

/* For a given hash, different words give different results; and the other way round. */
static inline uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * FACTOR;
    return hash ^ hash >> 32;
}

static uint64_t mix_bytes(uint64_t hash, const char *bytes, size_t size)
{
    hash = mix(mix(hash, TEXT), size);
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, size - i < 8 ? size - i : 8);
        hash = mix(hash, word);
    }
    return hash;
}

/* -1: an error. */
static int mix_value(uint64_t *hash, PyObject *value)
{
    if (PyBytes_Check(value))
        return 0; /* it has a checksum of its own */
    if (value == Py_None) {
        *hash = mix(*hash, NULL_VALUE);
        return 0;
    }
    if (PyLong_Check(value)) {
        long long number = PyLong_AsLongLong(value);
        *hash = mix(mix(*hash, NUMBER), (uint64_t)number);
        return number == -1 && PyErr_Occurred() ? -1 : 0;
    }
    if (PyFloat_Check(value)) { /* only in a damaged trace */
        double number = PyFloat_AS_DOUBLE(value);
        uint64_t word;
        memcpy(&word, &number, sizeof word);
        *hash = mix(mix(*hash, REAL), word);
        return 0;
    }
    if (PyUnicode_Check(value)) {
        Py_ssize_t size;
        const char *text = PyUnicode_AsUTF8AndSize(value, &size);
        if (text == NULL)
            return -1;
        *hash = mix_bytes(*hash, text, (size_t)size);
        return 0;
    }
    PyErr_Format(PyExc_TypeError, "a row has a value of type %s", Py_TYPE(value)->tp_name);
    return -1;
}

static int check_row(PyObject *row, uint64_t *check)
{
    uint64_t hash = SEED;
    if (!PyTuple_Check(row)) {
        PyErr_SetString(PyExc_TypeError, "a row is a tuple");
        return -1;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(row); i++)
        if (mix_value(&hash, PyTuple_GET_ITEM(row, i)) < 0)
            return -1;
    *check = hash & CHECK_MASK;
    return 0;
}

/* Whether two rows have the same key, their first values. -1: an error. */
static int same_key(PyObject *row, PyObject *other, Py_ssize_t size)
{
    if (PyTuple_GET_SIZE(row) < size || PyTuple_GET_SIZE(other) < size) {
        PyErr_SetString(PyExc_ValueError, "a row is shorter than its key");
        return -1;
    }
    for (Py_ssize_t i = 0; i < size; i++) {
        int same = PyObject_RichCompareBool(PyTuple_GET_ITEM(row, i), PyTuple_GET_ITEM(other, i), Py_EQ);
        if (same <= 0)
            return same;
    }
    return 1;
}

/* check_row(row) -> its check */
static PyObject *check_row_method(PyObject *self, PyObject *row)
{
    uint64_t check;
    return check_row(row, &check) < 0 ? NULL : PyLong_FromUnsignedLongLong(check);
}

/* sum_checks(rows, size, last, check) -> (count, sum, check): how many rows there are more, the sum of their checks, and
 * the check of the last one. A row with the same key (of `size` values) as the one before takes its place; `last` and
 * `check` are the row before the first, or None. */
static PyObject *sum_checks(PyObject *self, PyObject *args)
{
    PyObject *rows, *last;
    Py_ssize_t size, more = 0;
    unsigned long long given;
    if (!PyArg_ParseTuple(args, "O!nOK", &PyList_Type, &rows, &size, &last, &given))
        return NULL;
    if (last != Py_None && !PyTuple_Check(last)) {
        PyErr_SetString(PyExc_TypeError, "a row is a tuple");
        return NULL;
    }
    uint64_t sum = 0, before = given;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(rows); i++) {
        PyObject *row = PyList_GET_ITEM(rows, i);
        uint64_t check;
        if (check_row(row, &check) < 0)
            return NULL;
        int again = last == Py_None ? 0 : same_key(row, last, size);
        if (again < 0)
            return NULL;
        sum += check - (again ? before : 0);
        more += !again;
        last = row;
        before = check;
    }
    return Py_BuildValue("nKK", more, (unsigned long long)(sum & CHECK_MASK), (unsigned long long)before);
}

PyMethodDef checks_methods[] = {
    {"check_row", check_row_method, METH_O, "The check of a row."},
    {"sum_checks", sum_checks, METH_VARARGS, "The sum of the checks of rows."},
    {NULL, NULL, 0, NULL},
};

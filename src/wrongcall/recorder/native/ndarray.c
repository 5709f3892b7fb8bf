/* numpy arrays, read through the buffer protocol: no header of numpy's is needed.

   Shape, dtype and the first 1,000 elements are kept; changes among these become ITEM events. */
#include "core.h"

#define ELEMENTS 1000

typedef struct {
    Py_buffer view;
    Py_ssize_t count; /* elements looked at */
} Array;

static bool array_open(PyObject *o, Array *a)
{
    if (PyObject_GetBuffer(o, &a->view, PyBUF_FULL_RO) < 0) {
        PyErr_Clear(); /* dates and the like have no buffer */
        return false;
    }
    a->count = 1;
    for (int i = 0; i < a->view.ndim; i++)
        a->count *= a->view.shape[i];
    if (a->count > ELEMENTS)
        a->count = ELEMENTS;
    return true;
}

/* Where element number n (row by row) lies. */
static const char *element(Array *a, Py_ssize_t n)
{
    const char *at = a->view.buf;
    for (int i = a->view.ndim - 1; i >= 0; i--) {
        at += n % a->view.shape[i] * a->view.strides[i];
        n /= a->view.shape[i];
    }
    return at;
}

static const char *format_of(Array *a)
{
    const char *format = a->view.format == NULL ? "B" : a->view.format;
    while (*format != 0 && strchr("@=<>!|^", *format) != NULL)
        format++;
    return format;
}

static double half_to_double(uint16_t h)
{
    uint8_t bytes[2] = {(uint8_t)h, (uint8_t)(h >> 8)};
    return PyFloat_Unpack2((char *)bytes, 1);
}

static Value real(double d)
{
    Value out = {TAG_FLOAT, 0};
    memcpy(&out.bits, &d, 8);
    return out;
}

/* One element as a value; complex and structured ones are given as their bytes. */
static Value element_value(Array *a, Py_ssize_t n)
{
    const char *at = element(a, n), *format = format_of(a);
    Py_ssize_t size = a->view.itemsize;
    if (strcmp(format, "O") == 0)
        return encode(*(PyObject **)at);
    if (strcmp(format, "?") == 0)
        return (Value){TAG_CONST, *at ? CONST_TRUE : CONST_FALSE};
    if (strcmp(format, "d") == 0) {
        double d;
        memcpy(&d, at, 8);
        return real(d);
    }
    if (strcmp(format, "f") == 0) {
        float f;
        memcpy(&f, at, 4);
        return real((double)f);
    }
    if (strcmp(format, "e") == 0) {
        uint16_t h;
        memcpy(&h, at, 2);
        return real(half_to_double(h));
    }
    if (format[0] != 0 && format[1] == 0 && strchr("bhilqn", format[0]) != NULL && size <= 8) {
        int64_t v = 0;
        memcpy(&v, at, (size_t)size);
        int shift = 64 - 8 * (int)size;
        return INT_VALUE((int64_t)((uint64_t)v << shift) >> shift);
    }
    if (format[0] != 0 && format[1] == 0 && strchr("BHILQN", format[0]) != NULL && size <= 8) {
        uint64_t v = 0;
        memcpy(&v, at, (size_t)size);
        return INT_VALUE(v); /* values from 2**63 on read as negative */
    }
    PyObject *bytes = PyBytes_FromStringAndSize(at, size);
    Value out = bytes == NULL ? NO_VALUE : encode(bytes);
    Py_XDECREF(bytes);
    return out;
}

static void keep(SequenceNode *s, Array *a)
{
    size_t size = (size_t)a->view.itemsize;
    raw_keep(s, NULL, 0);
    char *copy = malloc((size_t)a->count * size + 1);
    if (copy == NULL)
        Py_FatalError("wrongcall: out of memory");
    for (Py_ssize_t i = 0; i < a->count; i++)
        memcpy(copy + (size_t)i * size, element(a, i), size);
    raw_keep(s, copy, (size_t)a->count * size);
    free(copy);
}

static void write_attr(SequenceNode *s, const char *name, PyObject *value)
{
    PyObject *key = PyUnicode_InternFromString(name);
    if (value != NULL && key != NULL) {
        explore_keep(value);
        emit(EV_ATTR | EV_SEEN, (Where){0, 0}, s->head.oid, NAME_VALUE(name_id(key)), encode(value));
    }
    Py_XDECREF(value);
    Py_XDECREF(key);
    PyErr_Clear();
}

/* Getters of C, of an exact ndarray and its dtype (whose str() would be Python code of numpy's). */
static void write_shape(SequenceNode *s, PyObject *o)
{
    write_attr(s, "shape", PyObject_GetAttrString(o, "shape"));
}

static void write_dtype(SequenceNode *s, PyObject *o)
{
    PyObject *dtype = PyObject_GetAttrString(o, "dtype");
    write_attr(s, "dtype", dtype == NULL ? NULL : PyObject_GetAttrString(dtype, "str"));
    Py_XDECREF(dtype);
}

void ndarray_write(PyObject *o, SequenceNode *s)
{
    Array a;
    write_shape(s, o);
    write_dtype(s, o);
    if (!array_open(o, &a))
        return;
    for (Py_ssize_t i = 0; i < a.count; i++)
        emit(EV_ITEM | EV_SEEN, (Where){0, 0}, s->head.oid, INT_VALUE(i), element_value(&a, i));
    keep(s, &a);
    PyBuffer_Release(&a.view);
}

void ndarray_resync(PyObject *o, SequenceNode *s, Where at)
{
    Array a;
    if (!array_open(o, &a))
        return;
    size_t size = (size_t)a.view.itemsize;
    bool resized = (size_t)a.count * size != s->count;
    if (resized) {
        write_shape(s, o);
        emit(EV_CLEAR, at, s->head.oid, NO_VALUE, NO_VALUE);
    }
    for (Py_ssize_t i = 0; i < a.count; i++) {
        if (resized || memcmp(element(&a, i), (char *)s->items + (size_t)i * size, size) != 0)
            emit(EV_ITEM, at, s->head.oid, INT_VALUE(i), element_value(&a, i));
    }
    keep(s, &a);
    PyBuffer_Release(&a.view);
}

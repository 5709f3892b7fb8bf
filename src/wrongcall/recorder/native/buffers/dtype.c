/* dtypes of numpy: how the elements of an array lie in memory, and the text that tells it.

   Only attributes are read whose getters are C: str(dtype) would run Python code of numpy's. */
#include "base/compat.h"
#include "base/allocate.h"
#include "buffers/buffers.h"
#include "recorder.h"
#include <string.h>

#define FIELDS 64 /* of a record that are told apart */

/* A new reference or NULL, without an error. */
static PyObject *attribute(PyObject *o, const char *name)
{
    PyObject *value = PyObject_GetAttrString(o, name);
    drop_error();
    return value;
}

size_t dtype_size(PyObject *descr)
{
    PyObject *size = attribute(descr, "itemsize");
    Py_ssize_t n = size == NULL ? 0 : PyLong_AsSsize_t(size);
    Py_XDECREF(size);
    drop_error();
    return n < 0 ? 0 : (size_t)n;
}

/* -- elements ------------------------------------------------------------------------------------------------- */

/* From such as `<M8[25s]`. */
static void time_unit(Elements *e, const char *text)
{
    static const struct {
        const char *text;
        uint8_t unit;
    } units[] = {{"ms]", TIME_MS}, {"us]", TIME_US}, {"ns]", TIME_NS}};
    const char *at = strchr(text, '[');
    e->steps = 1;
    if (at == NULL)
        return;
    for (at++; *at >= '0' && *at <= '9'; at++)
        e->steps = (e->steps == 1 && at[-1] == '[' ? 0 : e->steps) * 10 + (uint32_t)(*at - '0');
    if (at[0] != 0 && at[1] == ']' && strchr("YMWDhms", at[0]) != NULL)
        e->unit = (uint8_t)at[0];
    for (int i = 0; i < 3; i++) {
        if (strcmp(at, units[i].text) == 0)
            e->unit = units[i].unit;
    }
}

/* From such as `<i4`, `>f8`, `|O`, `<M8[D]`. */
static Elements scalar_elements(PyObject *descr)
{
    Elements e = {.code = 'V', .size = dtype_size(descr)};
    PyObject *str = attribute(descr, "str");
    const char *text = str != NULL && PyUnicode_Check(str) ? PyUnicode_AsUTF8(str) : NULL;
    if (text != NULL && strlen(text) >= 2) {
        e.swapped = text[0] == '>';
        e.code =
            text[1] == 'T' ? 0 : (uint8_t)element_code(text[1], e.size); /* T: texts that lie elsewhere */
        if (e.code == 'M' || e.code == 'm')
            time_unit(&e, text);
    }
    Py_XDECREF(str);
    drop_error();
    return e;
}

/* A record's field: (dtype, offset) or (dtype, offset, title); a new reference or NULL. */
static PyObject *field_of(PyObject *descr, PyObject *name)
{
    PyObject *fields = attribute(descr, "fields");
    PyObject *field = fields == NULL || !PyUnicode_CheckExact(name) ? NULL : PyObject_GetItem(fields, name);
    Py_XDECREF(fields);
    drop_error();
    if (field != NULL && (!PyTuple_Check(field) || PyTuple_GET_SIZE(field) < 2))
        Py_CLEAR(field);
    return field;
}

static bool parse_field(PyObject *descr, PyObject *name, Field *out)
{
    PyObject *field = field_of(descr, name);
    if (field == NULL)
        return false;
    out->elements = scalar_elements(PyTuple_GET_ITEM(field, 0));
    out->offset = (size_t)PyLong_AsSsize_t(PyTuple_GET_ITEM(field, 1));
    Py_DECREF(field);
    return true;
}

/* The names of a record's fields, a new reference; NULL: it is not one. */
static PyObject *names_of(PyObject *descr)
{
    PyObject *names = attribute(descr, "names");
    if (names != NULL && (!PyTuple_Check(names) || PyTuple_GET_SIZE(names) == 0))
        Py_CLEAR(names);
    return names;
}

Elements dtype_elements(PyObject *descr)
{
    Elements e = scalar_elements(descr);
    PyObject *names = names_of(descr);
    if (names == NULL || PyTuple_GET_SIZE(names) > FIELDS) {
        Py_XDECREF(names);
        return e;
    }
    uint16_t n = (uint16_t)PyTuple_GET_SIZE(names), i = 0;
    e.fields = allocate(n, sizeof *e.fields);
    while (e.fields != NULL && i < n && parse_field(descr, PyTuple_GET_ITEM(names, i), &e.fields[i]))
        i++;
    if (i == n)
        e.field_count = n;
    else {
        release(e.fields);
        e.fields = NULL;
    }
    Py_DECREF(names);
    return e;
}

/* -- text: dtype.str, but of dates and records as str(dtype) gives it ---------------------------------------------- */

static PyObject *time_text(PyObject *str, int code)
{
    PyObject *unit = PyUnicode_Substring(str, 3, PyUnicode_GET_LENGTH(str));
    PyObject *text =
        unit == NULL ? NULL : PyUnicode_FromFormat(code == 'M' ? "datetime64%U" : "timedelta64%U", unit);
    Py_XDECREF(unit);
    return text;
}

static PyObject *field_text(PyObject *descr, PyObject *name)
{
    PyObject *field = field_of(descr, name);
    PyObject *inner = field == NULL ? NULL : dtype_text(PyTuple_GET_ITEM(field, 0));
    PyObject *text = inner == NULL ? NULL : PyUnicode_FromFormat("(%R, %R)", name, inner);
    Py_XDECREF(inner);
    Py_XDECREF(field);
    return text;
}

static PyObject *record_text(PyObject *descr, PyObject *names)
{
    PyObject *parts = PyList_New(0), *comma = PyUnicode_FromString(", ");
    for (Py_ssize_t i = 0; parts != NULL && i < PyTuple_GET_SIZE(names); i++) {
        PyObject *part = field_text(descr, PyTuple_GET_ITEM(names, i));
        if (part != NULL)
            PyList_Append(parts, part);
        Py_XDECREF(part);
    }
    PyObject *inside = parts == NULL || comma == NULL ? NULL : PyUnicode_Join(comma, parts);
    PyObject *text = inside == NULL ? NULL : PyUnicode_FromFormat("[%U]", inside);
    Py_XDECREF(inside);
    Py_XDECREF(comma);
    Py_XDECREF(parts);
    return text;
}

PyObject *dtype_text(PyObject *descr)
{
    PyObject *str = attribute(descr, "str"), *names = names_of(descr), *text = NULL;
    if (str != NULL && PyUnicode_Check(str) && PyUnicode_GET_LENGTH(str) >= 3) {
        Py_UCS4 order = PyUnicode_READ_CHAR(str, 0), kind = PyUnicode_READ_CHAR(str, 1);
        if (names != NULL)
            text = record_text(descr, names);
        else if (order == '<' && (kind == 'M' || kind == 'm'))
            text = time_text(str, (int)kind);
    }
    if (text == NULL)
        text = Py_XNewRef(str);
    Py_XDECREF(str);
    Py_XDECREF(names);
    drop_error();
    return text;
}

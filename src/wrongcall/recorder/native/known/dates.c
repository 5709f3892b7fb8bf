/* Dates and times, read from their structs, which are public. A time zone is a part of its own: its repr
   may be the program's. */
#include "base/compat.h"
#include "known/readers.h"
#include "known/value_readers.h"
#include "recorder.h"
#include <string.h>
#include <datetime.h>

/* Taking over `text`; NULL: there is no memory. */
static PyObject *followed_by(PyObject *text, const char *name, int value)
{
    PyObject *longer = text == NULL ? NULL : PyUnicode_FromFormat("%U%s%d", text, name, value);
    Py_XDECREF(text);
    return longer;
}

static PyObject *closed(PyObject *text)
{
    PyObject *whole = text == NULL ? NULL : PyUnicode_FromFormat("%U)", text);
    Py_XDECREF(text);
    return whole;
}

static PyObject *with_seconds(PyObject *text, int seconds, int micros, int fold)
{
    if (seconds != 0 || micros != 0)
        text = followed_by(text, ", ", seconds);
    if (micros != 0)
        text = followed_by(text, ", ", micros);
    return closed(fold == 0 ? text : followed_by(text, ", fold=", fold));
}

void read_date(PyObject *o, Parts *parts)
{
    (void)PyDateTimeAPI; /* not imported: its types are known by their names */
    part_take(parts, "__repr__",
              PyUnicode_FromFormat("datetime.date(%d, %d, %d)", PyDateTime_GET_YEAR(o),
                                   PyDateTime_GET_MONTH(o), PyDateTime_GET_DAY(o)));
}

void read_datetime(PyObject *o, Parts *parts)
{
    PyObject *text = PyUnicode_FromFormat("datetime.datetime(%d, %d, %d, %d, %d", PyDateTime_GET_YEAR(o),
                                          PyDateTime_GET_MONTH(o), PyDateTime_GET_DAY(o),
                                          PyDateTime_DATE_GET_HOUR(o), PyDateTime_DATE_GET_MINUTE(o));
    part_take(parts, "__repr__",
              with_seconds(text, PyDateTime_DATE_GET_SECOND(o), PyDateTime_DATE_GET_MICROSECOND(o),
                           PyDateTime_DATE_GET_FOLD(o)));
    if (((PyDateTime_DateTime *)o)->hastzinfo)
        part_see(parts, "tzinfo", ((PyDateTime_DateTime *)o)->tzinfo);
}

/* Unlike a datetime, it has its fold behind its time zone. */
void read_time(PyObject *o, Parts *parts)
{
    bool has_zone = ((PyDateTime_Time *)o)->hastzinfo;
    int fold = PyDateTime_TIME_GET_FOLD(o);
    PyObject *text = PyUnicode_FromFormat("datetime.time(%d, %d", PyDateTime_TIME_GET_HOUR(o),
                                          PyDateTime_TIME_GET_MINUTE(o));
    part_take(parts, "__repr__",
              with_seconds(text, PyDateTime_TIME_GET_SECOND(o), PyDateTime_TIME_GET_MICROSECOND(o),
                           has_zone ? 0 : fold));
    if (!has_zone)
        return;
    part_see(parts, "tzinfo", ((PyDateTime_Time *)o)->tzinfo);
    if (fold != 0)
        part_take(parts, "fold", PyLong_FromLong(fold));
}

void read_timedelta(PyObject *o, Parts *parts)
{
    const char *names[] = {"days=", "seconds=", "microseconds="};
    int values[] = {PyDateTime_DELTA_GET_DAYS(o), PyDateTime_DELTA_GET_SECONDS(o),
                    PyDateTime_DELTA_GET_MICROSECONDS(o)};
    char text[128] = "datetime.timedelta(";
    size_t start = strlen(text), at = start;
    for (int i = 0; i < 3; i++) {
        if (values[i] != 0)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%s%d", at == start ? "" : ", ", names[i],
                                   values[i]);
    }
    snprintf(text + at, sizeof text - at, at == start ? "0)" : ")");
    part_take(parts, "__repr__", PyUnicode_FromString(text));
}

/* Its offset and name may be of subclasses, whose repr is the program's. */
void read_timezone(PyObject *o, Parts *parts)
{
    PyObject *held = known_call(o, "datetime.timezone", "__getinitargs__");
    Py_ssize_t n = held != NULL && PyTuple_CheckExact(held) ? PyTuple_GET_SIZE(held) : 0;
    bool plain = n > 0 && strcmp(Py_TYPE(PyTuple_GET_ITEM(held, 0))->tp_name, "datetime.timedelta") == 0 &&
                 !(Py_TYPE(PyTuple_GET_ITEM(held, 0))->tp_flags & Py_TPFLAGS_HEAPTYPE) &&
                 (n == 1 || PyUnicode_CheckExact(PyTuple_GET_ITEM(held, 1)));
    if (plain)
        part_take(parts, "__repr__", Py_TYPE(o)->tp_repr(o));
    else if (n > 0) {
        part_see(parts, "offset", PyTuple_GET_ITEM(held, 0));
        if (n > 1)
            part_see(parts, "name", PyTuple_GET_ITEM(held, 1));
    }
    Py_XDECREF(held);
}

/* Values that never change: dates and times, decimals.

   `__repr__` is how people write the value. It is made by the type's own C function, and only where
   that runs no code of the program. */
#include "known.h"

static void read_repr(PyObject *o, Parts *parts)
{
    if (!(Py_TYPE(o)->tp_flags & Py_TPFLAGS_HEAPTYPE) || strcmp(Py_TYPE(o)->tp_name, "decimal.Decimal") == 0)
        part_take(parts, "__repr__", PyObject_Repr(o));
}

/* The repr of a time zone may be the program's. */
static void read_moment(PyObject *o, Parts *parts)
{
    if (Py_TYPE(o)->tp_flags & Py_TPFLAGS_HEAPTYPE)
        return;
    PyObject *zone = PyObject_GetAttrString(o, "tzinfo");
    if (zone == Py_None)
        part_take(parts, "__repr__", PyObject_Repr(o));
    Py_XDECREF(zone);
}

const KnownType known_values[] = {
    {"datetime.date", read_repr, false},
    {"datetime.timedelta", read_repr, false},
    {"datetime.datetime", read_moment, false},
    {"datetime.time", read_moment, false},
    {"decimal.Decimal", read_repr, false},
    {NULL, NULL, false},
};

/* Descriptors of libraries: reading `o.x` may run their __get__, without any call in the source, and
   that may change o. functools.cached_property is one: it keeps the value in o's __dict__, where it is found
   the next time. That is what those without __set__ are for; others, such as enum's, only compute.

   All classes that define __get__ in Python have the same C function in their slot. Where __get__ is a
   library's, a stand-in takes its place that looks at o afterwards. A class is met when the shape of a
   type that has such a descriptor is made, so before any of its instances matters. */
#include "base/compat.h"
#include "capture/descriptor.h"
#include "capture/activation.h"
#include "compare/resync.h"
#include "recorder.h"
#include "shadow/identity.h"

static descrgetfunc original;

static PyObject *get_and_look(PyObject *self, PyObject *o, PyObject *type)
{
    PyObject *result = original(self, o, type);
    if (recorder.recording && o != NULL && o != Py_None && node_find(o) != NULL) {
        PyObject *kind, *error, *traceback;
        PyErr_Fetch(&kind, &error, &traceback);
        resync(o, where_exactly());
        PyErr_Restore(kind, error, traceback);
    }
    return result;
}

void descriptor_meet(PyTypeObject *type)
{
    if (!(type->tp_flags & Py_TPFLAGS_HEAPTYPE) || type->tp_descr_get == NULL || type->tp_descr_set != NULL ||
        type->tp_descr_get == get_and_look)
        return;
    PyObject *found = compat_type_lookup(type, recorder.names.get);
    if (found == NULL || !PyFunction_Check(found) || func_of_function(found) != NULL)
        return;
    if (original == NULL)
        original = type->tp_descr_get;
    if (type->tp_descr_get == original)
        type->tp_descr_get = get_and_look;
}

/* Paths of pathlib: the texts that they were made of. Their slots are filled when somebody asks for them,
   which is no change of the path. */
#include "base/compat.h"
#include "known/readers.h"
#include "known/value_readers.h"
#include <string.h>

static bool is_windows(PyTypeObject *type)
{
    for (; type != NULL; type = type->tp_base) {
        PyObject *mro = type->tp_mro;
        for (Py_ssize_t i = 0; mro != NULL && i < PyTuple_GET_SIZE(mro); i++) {
            const char *name = ((PyTypeObject *)PyTuple_GET_ITEM(mro, i))->tp_name;
            if (strcmp(name, "PureWindowsPath") == 0)
                return true;
            if (strcmp(name, "PurePosixPath") == 0)
                return false;
        }
    }
#ifdef _WIN32
    return true;
#else
    return false;
#endif
}

/* A new tuple of exact texts; NULL: it has others. */
static PyObject *texts(PyObject *held)
{
    if (held == NULL || (!PyList_CheckExact(held) && !PyTuple_CheckExact(held)))
        return NULL;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(held); i++) {
        if (!PyUnicode_CheckExact(PySequence_Fast_GET_ITEM(held, i)))
            return NULL;
    }
    return PySequence_Tuple(held);
}

void read_path(PyObject *o, Parts *parts)
{
    PyObject *held = known_slot(o, "_raw_paths"); /* from 3.12 on */
    if (held == NULL)
        held = known_slot(o, "_parts");
    PyObject *segments = texts(held);
    if (segments != NULL)
        part_take(parts, is_windows(Py_TYPE(o)) ? "__windows_path__" : "__posix_path__", segments);
}

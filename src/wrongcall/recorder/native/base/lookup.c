/* Finding an entry of a dict by its name, whatever state the program is in.

   Keys are kept, so that a lookup allocates nothing: when a program has used up its memory, an object that comes and
   goes here could be the one that it needs to go on. */
#include "base/lookup.h"
#include "base/allocate.h"

#define KEYS 128

static PyObject
    *keys[KEYS]; /* owned: exact ASCII strings; a name has one place, which it may lose to another */

/* A new reference or NULL: a lookup may run code of the program, which may need the place for another name. */
static PyObject *key_of(const char *name)
{
    PyObject **place = &keys[((uintptr_t)name >> 2) % KEYS];
    if (*place != NULL && strcmp((const char *)PyUnicode_1BYTE_DATA(*place), name) == 0)
        return Py_NewRef(*place);
    PyObject *key = PyUnicode_InternFromString(name);
    if (key != NULL && PyUnicode_IS_COMPACT_ASCII(key))
        Py_XSETREF(*place, Py_NewRef(key));
    return key;
}

PyObject *dict_find(PyObject *dict, const char *name)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *key = key_of(name);
    PyObject *found = key == NULL ? NULL : PyDict_GetItemWithError(dict, key);
    Py_XDECREF(key);
    if (found == NULL)
        drop_error();
    PyErr_Restore(type, value, traceback);
    return found;
}

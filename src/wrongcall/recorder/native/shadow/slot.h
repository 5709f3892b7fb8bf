/* Atoms, and the slots of a shadow. */
#ifndef WRONGCALL_SLOT_H
#define WRONGCALL_SLOT_H

#include "base/compat.h"
#include <stdbool.h>
#include <stdint.h>

/* An atom: an exact, immutable object without references that runs no code when it dies. */
static inline bool is_atom(PyObject *v)
{
    PyTypeObject *t = Py_TYPE(v);
    return t == &PyLong_Type || t == &PyUnicode_Type || v == Py_None || t == &PyBool_Type ||
           t == &PyFloat_Type || t == &PyBytes_Type || t == &PyComplex_Type || v == Py_Ellipsis ||
           v == Py_NotImplemented;
}

/* A slot of a shadow: the pointer last seen there; bit 0: it is an atom and the slot owns it. */
typedef uintptr_t Slot;
#define SLOT_PTR(s) ((PyObject *)((s) & ~(uintptr_t)1))
#define SLOT_OWNED(s) ((s) & 1)

static inline void slot_release(Slot s)
{
    if (SLOT_OWNED(s))
        Py_DECREF(SLOT_PTR(s));
}

#endif

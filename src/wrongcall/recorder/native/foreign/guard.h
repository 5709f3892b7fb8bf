/* A guarded call in its parts: guard.c makes it from C, trampoline.c from Python's own frames. */
#ifndef WRONGCALL_GUARD_H
#define WRONGCALL_GUARD_H

#include "base/compat.h"
#include "capture/activation.h"
#include "recorder.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct Guard {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject *callee; /* owned */
    Handle *handle;   /* owned */
    uint32_t site;
    Func *creates; /* borrowed: the callee creates an activation of this; NULL: foreign */
    bool quiet;    /* it changes nothing itself, but what it is given may be called later */
    bool harmless; /* it changes nothing, but calls functions of the program */
    struct Guard *next;
} Guard;

uint8_t guard_begin(Guard *g); /* what guard_restore takes */
void guard_restore(Guard *g, uint8_t awaiting);
/* What the callee may have changed or given away; result: NULL if it raised. */
void guard_look(Guard *g, PyObject *const *args, Py_ssize_t count, PyObject *names, PyObject *result);

extern __thread int guard_depth; /* guarded calls made from C that have not returned */

#endif

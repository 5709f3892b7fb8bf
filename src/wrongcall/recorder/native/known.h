/* Readers of types of C: see known.c. Only the files that know types include this. */
#ifndef WRONGCALL_KNOWN_H
#define WRONGCALL_KNOWN_H

#include "core.h"

typedef struct {
    VisitPart visit;
    void *context;
} Parts;

struct KnownType {
    const char *name; /* tp_name, of a class of Python with its module; NULL ends a table */
    void (*read)(PyObject *o, Parts *parts);
    bool changes; /* the parts may be others the next time somebody looks */
    /* of types whose struct is read: the size that it must have; 0: any */
    Py_ssize_t size;
    /* of types that change: a number that is another one whenever the parts are. It is asked for at every
       hook, so it reads the struct and nothing else. */
    uint64_t (*state)(PyObject *o);
    bool is_class; /* of Python */
};

/* Tell a part; NULL: it is not known, and the error is dropped. */
void part_see(Parts *parts, const char *name, PyObject *value);  /* borrowed */
void part_take(Parts *parts, const char *name, PyObject *value); /* takes the reference over */

/* The type of C that an object's reader belongs to: its own, or that of which its class is a subclass. */
PyTypeObject *known_base(PyObject *o);
/* What a getter or member of that type of C says; a new reference, NULL without an error: it has none. */
PyObject *known_getter(PyObject *o, const char *name);
PyObject *known_call(PyObject *o, const char *name); /* the same for a method without arguments */

static inline uint64_t state_mix(uint64_t state, uint64_t part)
{
    state = ((state + 1) * 0xD6E8FEB86659FD93ull ^ part) * 0x9E3779B97F4A7C15ull;
    return state ^ state >> 29;
}
#define STATE_OF(pointer) ((uint64_t)(uintptr_t)(pointer))

extern const KnownType known_values[];    /* known_values.c: values that never change */
extern const KnownType known_iterators[]; /* known_iterators.c */
extern const KnownType known_streams[];   /* known_streams.c: files, and buffers that act like one */
extern const KnownType known_state[];     /* known_state.c: locks, futures and others that change */
extern const KnownType known_classes[];   /* known_state.c: classes of Python, of the standard library */

#endif

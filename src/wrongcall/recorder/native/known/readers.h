/* Readers of types of C: see known.c. Only the files that know types include this. */
#ifndef WRONGCALL_READERS_H
#define WRONGCALL_READERS_H

#include "base/compat.h"
#include "known/known.h"
#include "shadow/shape.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    VisitPart visit;
    void *context;
} Parts;

struct KnownType {
    const char *name; /* tp_name, or module and name of a class in Python; NULL ends a table */
    void (*read)(PyObject *o, Parts *parts);
    bool changes; /* the parts may be others the next time somebody looks */
    /* of types whose struct is read: the size that it must have at least; 0: any */
    Py_ssize_t size;
    /* of types that change: a number that is another one whenever the parts are. It is asked for at every
       hook, so it reads the struct and nothing else. */
    uint64_t (*state)(PyObject *o);
    bool is_class; /* of Python */
};

/* Records a part; NULL: it is not known, and the error is dropped. */
void part_see(Parts *parts, const char *name, PyObject *value);  /* borrowed */
void part_take(Parts *parts, const char *name, PyObject *value); /* takes the reference over */

/* What a getter or method of this C type returns for an object of it or of a subclass: a new reference
   or NULL, maybe with an error. It is the C type's own, whatever a subclass has under that name. */
PyObject *known_get(PyObject *o, const char *type_name, const char *attribute);
PyObject *known_call(PyObject *o, const char *type_name, const char *method);
/* The same of the C type that the object's reader belongs to; NULL without an error: it has none. */
PyObject *known_getter(PyObject *o, const char *attribute);
PyObject *known_method(PyObject *o, const char *method);
bool known_is_exact(PyObject *o); /* its type itself is one of C that is known, not a subclass */
/* What a slot of a standard class written in Python holds; borrowed or NULL. */
PyObject *known_slot(PyObject *o, const char *name);

static inline uint64_t state_mix(uint64_t state, uint64_t part)
{
    state = ((state + 1) * 0xD6E8FEB86659FD93ull ^ part) * 0x9E3779B97F4A7C15ull;
    return state ^ state >> 29;
}
#define STATE_OF(pointer) ((uint64_t)(uintptr_t)(pointer))

extern const KnownType known_values[];    /* values.c: values that never change */
extern const KnownType known_library[];   /* and those of classes that are written in Python */
extern const KnownType known_iterators[]; /* iterators.c */
extern const KnownType known_streams[];   /* streams.c: files, and buffers that act like one */
extern const KnownType known_state[];     /* state.c: locks, futures and others that change */
extern const KnownType known_classes[];   /* state.c: classes of Python, of the standard library */
bool is_made_in_c(PyTypeObject *type);    /* not by a class statement that took the same name */

extern const KnownType known_frames[]; /* pandas_frames.c: what pandas keeps in C */
extern const KnownType known_rust[];   /* types without a module, whose readers check who made them */

#endif

/* Readers of types of C: see known.c. Only the files that know types include this. */
#ifndef WRONGCALL_KNOWN_H
#define WRONGCALL_KNOWN_H

#include "core.h"

typedef struct {
    VisitPart visit;
    void *context;
} Parts;

struct KnownType {
    const char *name; /* tp_name; NULL ends a table */
    void (*read)(PyObject *o, Parts *parts);
    bool changes; /* the parts may be others the next time somebody looks */
};

/* Tell a part; NULL: it is not known, and the error is dropped. */
void part_see(Parts *parts, const char *name, PyObject *value);  /* borrowed */
void part_take(Parts *parts, const char *name, PyObject *value); /* takes the reference over */

bool is_made_in_c(PyTypeObject *type); /* not by a class statement that took the same name */

extern const KnownType known_frames[]; /* known_frames.c: what pandas keeps in C */
extern const KnownType known_rust[];   /* types without a module, whose readers check who made them */
extern const KnownType known_values[]; /* known_values.c: values that never change */

#endif

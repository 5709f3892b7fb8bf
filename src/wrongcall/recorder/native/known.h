/* Readers of types of C: see known.c. Only the files that know types include this. */
#ifndef WRONGCALL_KNOWN_H
#define WRONGCALL_KNOWN_H

#include "core.h"

typedef struct {
    VisitPart visit;
    void *context;
} Parts;

struct KnownType {
    const char *name; /* tp_name, or module and name of a class in Python; NULL ends a table */
    void (*read)(PyObject *o, Parts *parts);
    bool changes; /* the parts may be others the next time somebody looks */
};

/* Tell a part; NULL: it is not known, and the error is dropped. */
void part_see(Parts *parts, const char *name, PyObject *value);  /* borrowed */
void part_take(Parts *parts, const char *name, PyObject *value); /* takes the reference over */

/* What a getter or method of this C type returns for an object of it or of a subclass: a new reference
   or NULL, maybe with an error. It is the C type's own, whatever a subclass has under that name. */
PyObject *known_get(PyObject *o, const char *type_name, const char *attribute);
PyObject *known_call(PyObject *o, const char *type_name, const char *method);
/* What a slot of a standard class written in Python holds; borrowed or NULL. */
PyObject *known_slot(PyObject *o, const char *name);

extern const KnownType known_values[];  /* known_values.c: values that never change */
extern const KnownType known_library[]; /* and those of classes that are written in Python */

#endif

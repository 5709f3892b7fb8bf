/* Types of C whose inside can be read. */
#ifndef WRONGCALL_KNOWN_H
#define WRONGCALL_KNOWN_H

#include "base/compat.h"
#include "shadow/nodes.h"
#include "shadow/shape.h"
#include <stdbool.h>
#include <stdint.h>

typedef void (*VisitPart)(PyObject *name, PyObject *value, void *context);
const KnownType *known_type(PyTypeObject *type); /* NULL: its inside is not known */
bool known_instead_of_slots(PyTypeObject *type); /* its own slots are bookkeeping */
bool known_for_ever(Shape *shape);               /* its objects hold nothing but parts that never change */
void known_visit(PyObject *o, Shape *shape, VisitPart visit, void *context); /* what C keeps in it */
bool known_is_of_c(Shape *shape);                   /* it has parts, and is no class of Python */
bool known_changes(Shape *shape);                   /* its objects have parts that may change */
bool known_has_state(Shape *shape);                 /* even without any hook: see follow.c */
uint64_t known_state_of(PyObject *o, Shape *shape); /* another number whenever those parts are others */

#endif

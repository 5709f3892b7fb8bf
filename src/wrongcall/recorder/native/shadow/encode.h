/* Values as they are written, and as a shadow keeps them. */
#ifndef WRONGCALL_ENCODE_H
#define WRONGCALL_ENCODE_H

#include "base/compat.h"
#include "emit/content.h"
#include "emit/event.h"
#include "shadow/nodes.h"
#include "shadow/slot.h"
#include <stdbool.h>

/* The value to write for v; objects not seen before are written out first. */
void encode_slow(PyObject *v, Value *out);
static inline Value encode(PyObject *v)
{
    Value out;
    if (!encode_quick(v, &out))
        encode_slow(v, &out);
    return out;
}
Value encode_key(PyObject *key, bool *safe); /* safe: equal keys have equal values */
/* A key that a container has: unlike a key that the program has just used, it is not followed (capture/follow.c). */
Value encode_held_key(PyObject *key);
Value encode_into(PyObject *v, Node *container, Slot *slot); /* and what its slot should hold */

#endif

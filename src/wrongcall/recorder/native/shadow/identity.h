/* Address -> node: which object is this, and is it still the one we saw? */
#ifndef WRONGCALL_IDENTITY_H
#define WRONGCALL_IDENTITY_H

#include "base/compat.h"
#include "shadow/nodes.h"
#include <stdint.h>

void *object_base(PyObject *o);
Node *node_find_base(void *base);
Node *node_new(void *base, Shape *shape, int layout, size_t bytes);
Node *node_resize(void *base, Node *node, size_t bytes);
void node_forget(void *base);                     /* the object at base died */
void node_moved(void *from, void *to);            /* realloc */
void *units_alloc(size_t bytes, uint32_t *units); /* nodes and slots of attributes; NULL never */
void units_free(void *block, uint32_t units);
size_t identity_count(void);
void identity_drop(void); /* in a forked child: all objects are unknown */
void identity_clear(
    void); /* after a recording: all objects are unknown, and what was kept about them is freed */

static inline Node *node_find(PyObject *o)
{
    return node_find_base(object_base(o));
}

#endif

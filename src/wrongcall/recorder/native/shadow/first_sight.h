/* First sight of an object: its contents become events. */
#ifndef WRONGCALL_FIRST_SIGHT_H
#define WRONGCALL_FIRST_SIGHT_H

#include "base/compat.h"
#include "shadow/nodes.h"
#include <stdbool.h>

Node *explore_touch(PyObject *o); /* the object's node, explored; NULL if it was never seen */
Node *object_node(PyObject *o);   /* its node; first sight if need be */
bool explore_is_inside(
    void); /* what is being written out was not handed over itself, but found in something */
void explore_keep(PyObject *made); /* what was made while exploring: until it is written out */
bool is_exploring(void);
void deque_items(PyObject *o, void (*visit)(PyObject *item, void *context), void *context);

#endif

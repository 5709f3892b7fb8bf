/* Attributes of objects: their shadows, and writing one. */
#ifndef WRONGCALL_ATTRIBUTES_H
#define WRONGCALL_ATTRIBUTES_H

#include "base/compat.h"
#include "emit/event.h"
#include "shadow/nodes.h"
#include "shadow/shape.h"
#include "shadow/slot.h"
#include <stdbool.h>

/* An attribute of o is value now (NULL: deleted); kind: EV_ATTR, or EV_ATTR | EV_SEEN. */
void attr_write(PyObject *o, Node *node, PyObject *name, PyObject *value, Where at, int kind);
void namespace_write(TableNode *t, PyObject *name, PyObject *value, Where at, int kind); /* class, module */
void class_attr_written(PyObject *o, TableNode *t, PyObject *name, Where at);
Slot *attr_place(PyObject *o, Node *node, int index); /* the shadow of an attribute */
InstanceNode *attrs_of(Node *node);                   /* NULL: none */
PyObject *attr_now(PyObject *o, ShapeAttr *attr);     /* borrowed or NULL */
bool is_instance_node(Node *node);                    /* its attributes are in the node itself */

#endif

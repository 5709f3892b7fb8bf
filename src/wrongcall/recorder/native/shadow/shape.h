/* Types: how their objects are laid out, and the names of their attributes. */
#ifndef WRONGCALL_SHAPE_H
#define WRONGCALL_SHAPE_H

#include "base/compat.h"
#include "shadow/nodes.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    PyObject *name; /* owned: interned */
    uint64_t id;
    Py_ssize_t offset; /* of a slot or C member; 0: in the instance's dictionary */
} ShapeAttr;

typedef struct KnownType KnownType;

struct Shape {
    PyTypeObject *type; /* borrowed: a shape dies with its type */
    uint64_t type_id;
    uint8_t layout;
    bool has_own_attrs; /* instances have a dictionary or slots */
    bool shadows;       /* some instance has an attribute with the name of a method */
    bool announced;
    uint8_t frame;               /* FRAME_*: a class of pandas */
    uint8_t origin;              /* ORIGIN_*: whose class it is; 0: not asked yet */
    uint8_t tries;               /* how often its fields were looked for */
    uint64_t fields;             /* a fingerprint of those that were told */
    const KnownType *known;      /* how to read what C keeps in its objects; NULL: nobody knows */
    PyObject *item_names;        /* owned: of a named tuple's items; NULL: they have none */
    uint16_t count, room, fixed; /* the first `fixed` attributes are slots and members */
    ShapeAttr *attrs;
};

#define SHAPE_MAX 4096 /* attributes per type that are watched for foreign changes */

Shape *shape_of(PyTypeObject *type);
void shape_forget(PyTypeObject *type);
void shapes_clear(void);       /* after a recording */
void shapes_watch_again(void); /* after all nodes were dropped: a shape ends with its type */
int shape_slot(Shape *shape, PyObject *name, bool add); /* -1: none */
void shape_announce(Shape *shape);
PyObject *shape_member(PyObject *o, const ShapeAttr *attr); /* borrowed or NULL */
int shape_setup(void);

#endif

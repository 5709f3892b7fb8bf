/* What foreign code may have changed: the objects that it was given, and those within their reach.

   They are looked at breadth first. The program's own objects are followed however far they lead; those of
   libraries that the trace does not know, only near by. A test case of a framework leads to the whole framework,
   so looking everywhere after each call can cost a thousand times the call. Therefore a callee that is trusted
   (trust.c) is looked after *nearby* only: the first NEARBY objects, and not inside the instances of library
   classes, unless it was given the instance itself. Every so many calls it is looked at in full
   all the same. What is then found to be different beyond the nearby objects was changed at some call since the
   last full look, nobody knows which: it is written as seen, not as changed here. */
#include "base/compat.h"
#include "compare/reach.h"
#include "buffers/buffers.h"
#include "compare/resync.h"
#include "compare/trust.h"
#include "emit/event.h"
#include "emit/events.h"
#include "known/known.h"
#include "known/pandas_frames.h"
#include "recorder.h"
#include "shadow/first_sight.h"
#include "shadow/identity.h"
#include "shadow/nodes.h"
#include "shadow/program.h"
#include "shadow/shape.h"
#include "shadow/slot.h"
#include <string.h>

#define VISITS 1024        /* objects looked at per thing that was given */
#define NEARBY 64          /* of them, those that are looked at after every call */
#define NEARBY_FRAME 192   /* with the parts of frames */
#define UNKNOWN_VISITS 128 /* of them, objects of libraries that the trace does not know */
#define REACH 3            /* references followed from one such object to the next */

typedef struct {
    PyObject *o;     /* borrowed: nothing runs meanwhile that could drop it */
    uint8_t strange; /* references followed since the last known object */
    bool inside;     /* reached through an instance of a library's class */
    bool frame;      /* a part of a frame: looked at after every call */
} Found;

typedef struct {
    Found queue[VISITS];
    int count, limit, frame_limit, unknown;
    bool cut;           /* there was more than the limit */
    Found next;         /* what is found while one object is followed, but for the object */
    PyTypeObject *type; /* of the object that is being followed: instances lead to it anyway */
    size_t mask;
    uint16_t seen[VISITS * 2]; /* hash set of mask + 1 places: place in the queue + 1 */
} Deep;

/* What has attributes that may be the program's, and is not followed any further. */
static bool is_end(PyObject *o)
{
    return PyFunction_Check(o) || PyType_Check(o);
}

/* What foreign code cannot change, or what is looked at elsewhere. */
static bool is_nothing(PyObject *o)
{
    if (is_atom(o) || PyCode_Check(o) || PyFrame_Check(o) || PyModule_Check(o))
        return true;
    return PyType_Check(o) && !(((PyTypeObject *)o)->tp_flags & Py_TPFLAGS_HEAPTYPE);
}

static bool is_traversed(PyObject *o)
{
    return Py_TYPE(o)->tp_traverse != NULL && PyObject_IS_GC(o);
}

static int visit_deep(PyObject *o, void *context)
{
    Deep *deep = context;
    if (is_nothing(o) || o == (PyObject *)deep->type)
        return 0;
    if (deep->count >= (deep->next.frame ? deep->frame_limit : deep->limit)) {
        deep->cut = true;
        return 1; /* ends the traversal */
    }
    size_t at = (size_t)(((uint64_t)(uintptr_t)o >> 4) * 0x9E3779B97F4A7C15ull >> 40);
    for (;; at++) {
        uint16_t place = deep->seen[at & deep->mask];
        if (place == 0)
            break;
        if (deep->queue[place - 1].o == o)
            return 0;
    }
    deep->next.o = o;
    deep->queue[deep->count] = deep->next;
    deep->seen[at & deep->mask] = (uint16_t)++deep->count;
    return 0;
}

/* Brings one object up to date. Returns whether it leads to others that must be compared. */
static bool look_at(PyObject *o, Where at, bool *known, bool *changed)
{
    Node *node = explore_touch(o); /* writes out what was not explored: no change */
    uint64_t before = recorder.ring.head;
    if (node != NULL)
        resync_node(o, node, at);
    else
        memory_resync(o, at);
    *changed = recorder.ring.head != before;
    node = node_find(o); /* it may be known to the recorder and not to the trace */
    *known = node != NULL && !(node->flags & NODE_UNWRITTEN) && node->layout != LAYOUT_OPAQUE &&
             /* The parts of such an object are not all that it leads to; those of an element are. */
             (node->layout == LAYOUT_ELEMENT || !known_changes(node->shape));
    if (is_end(o) || (!is_traversed(o) && (node == NULL || node->layout != LAYOUT_NDARRAY)))
        return false;
    /* The dictionary of an instance has no shadow of its own. */
    return !*known || (node->flags & (NODE_HAS_REFS | NODE_ATTRS_OF)) || node->layout == LAYOUT_TUPLE ||
           node->layout == LAYOUT_METHOD;
}

static void follow(Deep *deep, Found found, bool known)
{
    if (!known && (found.strange >= REACH || ++deep->unknown > UNKNOWN_VISITS))
        return;
    deep->next.strange = known ? 0 : (uint8_t)(found.strange + 1);
    deep->type = Py_TYPE(found.o);
    if (known && is_frame(found.o))
        frame_visit(found.o, visit_deep, deep);
    else if (is_traversed(found.o))
        deep->type->tp_traverse(found.o, visit_deep, deep);
    ndarray_visit(found.o, visit_deep, deep);
}

/* Looks at one object within reach. A change to it tells against the callee; one to the inside of a
   library's own objects does not: the library works with them all the time. */
static bool look_within(Found found, Where at, Look *look, bool *known)
{
    bool changed, leads = look_at(found.o, at, known, &changed);
    if (changed && (!found.inside || is_program_type(Py_TYPE(found.o))))
        look->found_change = true;
    return leads;
}

/* An element of xml.etree holds only what the program put there, as a list does. */
static bool is_closed(PyObject *o)
{
    return is_library_instance(o) && shape_of(Py_TYPE(o))->layout != LAYOUT_ELEMENT;
}

static void look_around(PyObject *o, Look *look, bool known)
{
    Deep deep;
    deep.count = deep.unknown = 0;
    deep.limit = look->nearby_only ? NEARBY + 1 : VISITS; /* one more: to know that there is more */
    deep.mask = look->nearby_only ? NEARBY * 4 - 1 : VISITS * 2 - 1;
    deep.frame_limit = look->nearby_only ? NEARBY_FRAME : VISITS;
    deep.cut = false;
    deep.next = (Found){NULL, 0, false, is_frame(o)};
    deep.type = NULL;
    memset(deep.seen, 0, (deep.mask + 1) * sizeof *deep.seen);
    visit_deep(o, &deep);
    follow(&deep, deep.queue[0], known);
    for (int i = 1; i < deep.count; i++) {
        Found found = deep.queue[i];
        bool is_beyond = (i >= NEARBY && !found.frame) || found.inside;
        if (is_beyond && look->nearby_only) {
            look->left_out = true;
            return;
        }
        look->visits++;
        bool is_library = !found.inside && is_closed(found.o);
        if (!look_within(found, is_beyond ? look->beyond : look->at, look, &known))
            continue;
        if (is_library && look->nearby_only) {
            look->left_out = true;
            continue;
        }
        deep.next.inside = found.inside || is_library;
        deep.next.frame =
            is_frame(found.o) || (found.frame && (PyTuple_CheckExact(found.o) || PyList_Check(found.o)));
        follow(&deep, found, known);
    }
    look->left_out |= deep.cut && look->nearby_only;
}

void look_deep(PyObject *o, Look *look)
{
    bool known, changed;
    if (is_nothing(o))
        return;
    look->visits++;
    if (look_at(o, look->at, &known, &changed))
        look_around(o, look, known);
}

void resync_deep(PyObject *o, Where at)
{
    Look look = {.at = at, .beyond = at};
    look_deep(o, &look);
}

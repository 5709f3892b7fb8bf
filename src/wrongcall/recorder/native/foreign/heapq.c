/* The functions of `heapq` move the items of one path between the root and a leaf: only that path is
   looked at, so that a push or pop costs the same on any heap. */
#include "base/compat.h"
#include "foreign/heapq.h"
#include "base/allocate.h"
#include "compare/resync.h"
#include "emit/event.h"
#include "shadow/first_sight.h"
#include "shadow/nodes.h"
#include "shadow/slot.h"
#include <string.h>

static bool is_module_function(PyObject *callee, const char *module)
{
    PyObject *self = PyCFunction_Check(callee) ? PyCFunction_GET_SELF(callee) : NULL;
    const char *name = self != NULL && PyModule_Check(self) ? PyModule_GetName(self) : NULL;
    if (name == NULL) {
        drop_error();
        return false;
    }
    return strcmp(name, module) == 0;
}

/* An item was pushed: it rose from the end towards the root, and what it passed went down. */
static void rose(PyObject *list, SequenceNode *s, Where at)
{
    size_t i = s->count;
    sequence_arrived(s, i, PyList_GET_ITEM(list, i), at);
    while (i > 0) {
        i = (i - 1) / 2;
        if (SLOT_PTR(s->items[s->start + i]) != PyList_GET_ITEM(list, i))
            sequence_changed(s, i, PyList_GET_ITEM(list, i), at);
    }
}

/* The root was taken: on one path every item went up into its parent's place, down to where another was
   put. Of two children that are the same object the right one is the one that heapq moves. */
static void sank(PyObject *list, SequenceNode *s, Where at)
{
    size_t i = 0, n = s->count;
    while (i < n) {
        PyObject *now = PyList_GET_ITEM(list, i);
        size_t left = 2 * i + 1, next = n;
        if (left + 1 < n && SLOT_PTR(s->items[s->start + left + 1]) == now)
            next = left + 1;
        else if (left < n && SLOT_PTR(s->items[s->start + left]) == now)
            next = left;
        if (SLOT_PTR(s->items[s->start + i]) != now)
            sequence_changed(s, i, now, at);
        i = next;
    }
}

bool heapq_moved(PyObject *callee, PyObject *const *args, Py_ssize_t count, Where at)
{
    if (count == 0 || !PyList_CheckExact(args[0]) || !is_module_function(callee, "_heapq"))
        return false;
    const char *name = ((PyCFunctionObject *)callee)->m_ml->ml_name;
    SequenceNode *s = (SequenceNode *)explore_touch(args[0]);
    if (s == NULL)
        return true; /* nobody knows this list */
    size_t n = (size_t)PyList_GET_SIZE(args[0]), was = s->count;
    if (strcmp(name, "heappush") == 0 && n == was + 1) {
        rose(args[0], s, at);
        return true;
    }
    if (strncmp(name, "heappop", 7) == 0 && n + 1 == was && was > 0) {
        sequence_gone(s, n, 1, at);
        sank(args[0], s, at);
        return true;
    }
    if ((strcmp(name, "heapreplace") == 0 || strcmp(name, "heappushpop") == 0) && n == was) {
        sank(args[0], s, at);
        return true;
    }
    return false;
}

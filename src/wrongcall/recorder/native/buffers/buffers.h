/* Memory that holds elements without identity: bytearray, array.array, numpy arrays, and who shares it.

       elements.c   one element as a value; which elements of a run of memory differ from those last seen
       rawbytes.c   bytearray and array.array: what was last seen in them, what was done to them
       dtype.c      numpy's dtypes: how the elements of an array lie in memory
       ndarray.c    numpy arrays: shape, dtype and the first elements
       shared_memory.c families of objects that share memory: a change through one of them shows in all */
#ifndef WRONGCALL_BUFFERS_H
#define WRONGCALL_BUFFERS_H

#include "base/compat.h"
#include "emit/event.h"
#include "shadow/nodes.h"
#include <stdbool.h>
#include <stdint.h>

/* -- elements.c ---------------------------------------------------------------------------------------------- */

enum { TIME_MS = 1, TIME_US, TIME_NS };

struct Field;

/* How elements lie in memory. The codes are those of array.array, by size alone (b B h H i I q Q, f d,
   w: a character) and `?` bool, `e` half, `g` long double, `F` `D` complex, `S` `U` text, `M` `m` time,
   `O` object, `V` anything else; with fields: a record. */
typedef struct {
    uint8_t code;
    bool swapped; /* the other byte order */
    uint8_t unit; /* of time: Y M W D h m s, or one of TIME_*; 0: finer, or none */
    uint16_t field_count;
    uint32_t steps; /* of time: how many units one step is */
    size_t size;
    struct Field *fields; /* owned */
} Elements;

typedef struct Field {
    Elements elements; /* of a field that is a record itself: without fields */
    size_t offset;
} Field;

Value element_value(const Elements *e, const char *at);
int element_code(char kind, size_t size); /* kind: i u f */
/* Elements [from, from + n) are those at `now`: told one by one or as a run; kind: EV_PATCH or EV_SPLICE. */
void elements_tell(int kind, Where at, uint64_t oid, const Elements *e, size_t from, size_t n,
                   const char *now);
/* Records which of n elements, starting at `from`, differ, and keeps them in `old`. Returns whether any does. */
bool elements_compare(Where at, uint64_t oid, const Elements *e, size_t from, size_t n, const char *now,
                      char *old);

/* A slice with plain bounds of something of this length; false: it is something else. */
bool plain_slice(PyObject *key, size_t length, Py_ssize_t *start, Py_ssize_t *step, size_t *count);

/* -- rawbytes.c ------------------------------------------------------------------------------------------------ */

/* BYTEARRAY, ARRAY */
typedef struct {
    Node head;
    InstanceNode *attrs; /* as in SequenceNode */
    char *bytes;         /* a copy of what was last seen begins at bytes + start */
    size_t start, size, room;
    Elements elements;
} RawNode;

PyTypeObject *array_base(PyTypeObject *type); /* array.array, if the type is that or a subclass */
void raw_write(PyObject *o, RawNode *raw);    /* first sight */
void raw_free(RawNode *raw);
void raw_resync(PyObject *o, RawNode *raw, Where at);
/* The bytes at these addresses may have changed. */
void raw_look(PyObject *o, RawNode *raw, const char *from, const char *to, Where at);
/* After x[key] = v or del x[key]. */
void raw_subscript(PyObject *o, RawNode *raw, PyObject *key, bool deleted, Where at);
/* After a method that did this and nothing else; false: it did not, compare. */
bool raw_appended(PyObject *o, RawNode *raw, Where at);
bool raw_inserted(PyObject *o, RawNode *raw, Py_ssize_t index, Where at);
bool raw_taken(PyObject *o, RawNode *raw, Py_ssize_t index, Where at);
bool raw_cleared(PyObject *o, RawNode *raw, Where at);
/* After `x += v` or `x *= n`; false: not a bytearray or array with the usual operators. */
bool raw_grown(PyObject *o, Where at);

/* -- dtype.c ------------------------------------------------------------------------------------------------------- */

Elements dtype_elements(PyObject *descr); /* the caller frees its fields */
PyObject *dtype_text(PyObject *descr);    /* new reference, or NULL without an error */
size_t dtype_size(PyObject *descr);

/* -- ndarray.c ---------------------------------------------------------------------------------------------------- */

struct Family;

/* NDARRAY */
typedef struct ArrayNode {
    Node head;
    InstanceNode *attrs; /* as in SequenceNode */
    PyObject *object;    /* borrowed: it lives as long as its node */
    struct Family *family;
    uint32_t place; /* among the family's members */
    int nd;
    Py_ssize_t *dimensions; /* owned */
    PyObject *base, *descr; /* borrowed, never followed: are they still the same? */
    Elements elements;
    size_t count;  /* elements that are kept */
    size_t corner; /* of a wide table: elements of each row among them; 0: they are the first ones */
    char *kept;    /* they; of objects: ObjectSlots */
} ArrayNode;

PyTypeObject *ndarray_base(PyTypeObject *type); /* numpy.ndarray, if the type is that or a subclass */
bool is_ndarray(PyObject *o);
uint64_t ndarray_length(PyObject *o);
PyObject *ndarray_owner(PyObject *o); /* whose memory it uses: borrowed; NULL: its own */
bool ndarray_extent(PyObject *o, const char **from, const char **end); /* false: no elements */
void ndarray_write(PyObject *o, ArrayNode *array);
void ndarray_free(ArrayNode *array);
void ndarray_resync(PyObject *o, ArrayNode *array, Where at);
void ndarray_look(ArrayNode *array, const char *from, const char *to, Where at);
/* After x[key] = v; array: NULL if x is not recorded. */
void ndarray_subscript(PyObject *o, ArrayNode *array, PyObject *key, Where where);
void ndarray_visit(PyObject *o, visitproc visit, void *context); /* the objects in an array of objects */

/* -- shared_memory.c ------------------------------------------------------------------------------------------------------- */

void memory_join(ArrayNode *array);
void memory_leave(ArrayNode *array);
/* Objects other than o that use this memory of o may have changed. */
void memory_changed(PyObject *o, const char *from, const char *end, Where at);
/* An object that was not recorded, or of which nothing is: what it gives access to may have changed. */
void memory_resync(PyObject *o, Where at);
/* After x[key] = v or del x[key]; false: x does not give access to such memory. */
bool memory_subscript(PyObject *o, Node *node, PyObject *key, bool deleted, Where at);

#endif

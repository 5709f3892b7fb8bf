/* Elements of xml.etree.ElementTree, as its C accelerator keeps them.

   An element is recorded as a sequence, its children, with the parts `tag`, `text`, `tail` and `attrib`.

   The struct is private to CPython and the same from 3.11 to 3.15. Before it is read for the first time, two elements are
   made and one of them is compared with what its type tells the garbage collector. If that is not what the struct
   says, elements stay opaque.

   Nothing is asked by the getters: that of `text` joins the pieces that a parser left, that of `attrib` makes a
   missing dict, and both would leave the program's object another one than without recording. */
#include "base/compat.h"
#include "known/elements.h"
#include "base/allocate.h"
#include "known/readers.h"
#include "recorder.h"
#include "shadow/slot.h"
#include <string.h>

typedef struct {
    PyObject *attrib; /* NULL: nobody asked for it, and it would be empty */
    Py_ssize_t length, allocated;
    PyObject **children;
    /* room for a few children follows, and a count of changes from 3.12 on */
} Extra;

typedef struct {
    PyObject_HEAD
    PyObject *tag;
    PyObject *text, *tail; /* bit 0: a list of pieces, still to be joined */
    Extra *extra;          /* NULL: neither attributes nor children */
    PyObject *weak_references;
} Element;

#define PIECES(p) ((uintptr_t)(p) & 1)
#define UNTAGGED(p) ((PyObject *)((uintptr_t)(p) & ~(uintptr_t)1))

/* -- is the struct what it was? ------------------------------------------------------------------------------ */

typedef struct {
    PyObject *expected[8];
    int count, found; /* found: so many came in this order; -1: something else did */
} Visits;

static int visited(PyObject *o, void *context)
{
    Visits *visits = context;
    if (visits->found == 0 && PyType_Check(o)) /* instances of heap types lead to their type */
        return 0;
    if (visits->found >= 0 && visits->found < visits->count && o == visits->expected[visits->found])
        visits->found++;
    else
        visits->found = -1;
    return 0;
}

static bool tells_the_same(PyTypeObject *type, PyObject *o, PyObject *child)
{
    Element *e = (Element *)o;
    if (e->extra == NULL || e->extra->length != 1 || e->extra->children[0] != child || PIECES(e->text) != 0 ||
        PIECES(e->tail) != 0)
        return false;
    Visits visits = {{e->tag, e->text, e->tail, e->extra->attrib, child}, 5, 0};
    type->tp_traverse(o, visited, &visits);
    return visits.found == visits.count && PyUnicode_CheckExact(e->tag) && e->text == Py_None &&
           e->tail == Py_None && PyDict_CheckExact(e->extra->attrib);
}

static PyObject *make_element(PyTypeObject *type, PyObject *args)
{
    PyObject *o = args == NULL ? NULL : type->tp_new(type, args, NULL);
    if (o != NULL && type->tp_init(o, args, NULL) < 0)
        Py_CLEAR(o);
    return o;
}

static bool try_out(PyTypeObject *type)
{
    PyObject *kind, *error, *traceback;
    PyErr_Fetch(&kind, &error, &traceback);
    int collecting = PyGC_Disable(); /* a collection may run code of the program */
    PyObject *args = Py_BuildValue("(s{ss})", "tag", "key", "value");
    PyObject *o = make_element(type, args), *child = make_element(type, args);
    PyObject *done = o == NULL || child == NULL ? NULL : PyObject_CallMethod(o, "append", "O", child);
    bool same = done != NULL && tells_the_same(type, o, child);
    Py_XDECREF(done);
    Py_XDECREF(o);
    Py_XDECREF(child);
    Py_XDECREF(args);
    if (collecting)
        PyGC_Enable();
    PyErr_Restore(kind, error, traceback);
    return same;
}

static bool is_known_layout(PyTypeObject *type)
{
    static PyTypeObject *known, *unknown; /* the last of each; compared, never followed */
    if (type == known || type == unknown)
        return type == known;
    bool same = COMPAT_LAYOUTS_KNOWN && type->tp_basicsize == sizeof(Element) && type->tp_itemsize == 0 &&
                type->tp_weaklistoffset == offsetof(Element, weak_references) && type->tp_dictoffset == 0 &&
                type->tp_traverse != NULL && type->tp_new != NULL && type->tp_init != NULL && try_out(type);
    *(same ? &known : &unknown) = type;
    return same;
}

PyTypeObject *element_base(PyTypeObject *type)
{
    for (; type != NULL && type != &PyBaseObject_Type; type = type->tp_base) {
        if (strcmp(type->tp_name, "xml.etree.ElementTree.Element") == 0 && is_made_in_c(type))
            return is_known_layout(type) ? type : NULL;
    }
    return NULL;
}

/* -- what it holds ------------------------------------------------------------------------------------------- */

Py_ssize_t element_count(PyObject *o)
{
    Extra *extra = ((Element *)o)->extra;
    return extra == NULL ? 0 : extra->length;
}

PyObject **element_children(PyObject *o)
{
    Extra *extra = ((Element *)o)->extra;
    return extra == NULL ? NULL : extra->children;
}

PyObject *element_attrib(PyObject *o)
{
    Extra *extra = ((Element *)o)->extra;
    return extra == NULL ? NULL : extra->attrib;
}

static void see(Parts *parts, PyObject *name, PyObject *value)
{
    if (value != NULL)
        parts->visit(name, value, parts->context);
}

/* What the getter would return. Pieces are joined in a text of our own, and stay pieces in the element. */
static void see_text(Parts *parts, PyObject *name, PyObject *tagged)
{
    PyObject *value = UNTAGGED(tagged);
    if (value == NULL || !PIECES(tagged) || !PyList_CheckExact(value)) {
        see(parts, name, value);
        return;
    }
    PyObject *nothing = PyUnicode_New(0, 0);
    PyObject *joined = nothing == NULL ? NULL : PyUnicode_Join(nothing, value);
    see(parts, name, joined);
    drop_error();
    Py_XDECREF(joined);
    Py_XDECREF(nothing);
}

static void read_element(PyObject *o, Parts *parts)
{
    Element *e = (Element *)o;
    see(parts, recorder.names.tag, e->tag);
    see_text(parts, recorder.names.text, e->text);
    see_text(parts, recorder.names.tail, e->tail);
    see(parts, recorder.names.attrib, element_attrib(o));
}

const KnownType known_element = {"xml.etree.ElementTree.Element", read_element, true};

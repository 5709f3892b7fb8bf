/* Changes to elements of xml.etree.ElementTree that are not made by their methods: `e.text = t` and the like,
   SubElement(e, tag), and the dict that comes into being when `e.attrib` is first asked for.

   Functions are replaced in the definitions of the C module, which live as long as the process. An attribute that the
   program itself sets is recorded by the hook of that statement, which knows where it is; here, what libraries set.
   `e[i] = x` in a library is noticed when the call of the library is over, as for any other object. */
#include "base/compat.h"
#include "capture/element_slots.h"
#include "base/allocate.h"
#include "base/lookup.h"
#include "capture/activation.h"
#include "capture/mutators.h"
#include "compare/resync.h"
#include "emit/emit.h"
#include "emit/event.h"
#include "emit/events.h"
#include "foreign/watch.h"
#include "known/elements.h"
#include "recorder.h"
#include "shadow/attributes.h"
#include "shadow/first_sight.h"
#include "shadow/identity.h"
#include "shadow/nodes.h"
#include <string.h>

/* Is the object recorded? It is explored before it changes. */
static bool is_recorded(PyObject *o)
{
    Node *node = recorder.recording ? explore_touch(o) : NULL;
    return node != NULL && node->layout == LAYOUT_ELEMENT;
}

static void compare(PyObject *o)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    resync(o, where_now());
    PyErr_Restore(type, value, traceback);
}

/* -- attributes ---------------------------------------------------------------------------------------------- */

#define PARTS(X) X(0, tag) X(1, text) X(2, tail) X(3, attrib)
#define ATTRIB 3
#define PART_COUNT 4

static struct {
    PyGetSetDef *def; /* NULL: not replaced */
    getter get;
    setter set;
} parts[PART_COUNT];

static int set_part(int n, PyObject *o, PyObject *value, void *closure)
{
    bool compared = is_recorded(o) && !called_by_program();
    int failed = parts[n].set(o, value, closure);
    if (compared && recorder.recording)
        compare(o);
    return failed;
}

/* An empty dict is made when it is first asked for: no change that the program could have noticed. */
static PyObject *get_attrib(PyObject *o, void *closure)
{
    bool made = element_attrib(o) == NULL;
    PyObject *result = parts[ATTRIB].get(o, closure);
    if (made && result != NULL && element_attrib(o) == result && is_recorded(o))
        attr_write(o, node_find(o), recorder.names.attrib, result, (Where){0, 0}, EV_ATTR | EV_SEEN);
    return result;
}

#define SETTER(n, name)                                                                                      \
    static int set_##name(PyObject *o, PyObject *value, void *closure)                                       \
    {                                                                                                        \
        return set_part(n, o, value, closure);                                                               \
    }

PARTS(SETTER)

#define ROW(n, name) {#name, set_##name},

static const struct {
    const char *name;
    setter set;
} rows[PART_COUNT] = {PARTS(ROW)};

static void replace_parts(PyObject *dict)
{
    for (int n = 0; n < PART_COUNT; n++) {
        PyObject *found = dict_find(dict, rows[n].name);
        if (parts[n].def != NULL || found == NULL || !Py_IS_TYPE(found, &PyGetSetDescr_Type))
            continue;
        PyGetSetDef *def = ((PyGetSetDescrObject *)found)->d_getset;
        parts[n].def = def;
        parts[n].get = def->get;
        parts[n].set = def->set;
        def->set = rows[n].set;
        if (n == ATTRIB)
            def->get = get_attrib;
    }
}

/* -- SubElement ---------------------------------------------------------------------------------------------- */

static PyMethodDef *sub_element_def; /* NULL: not replaced */
static PyCFunctionWithKeywords sub_element_original;

static PyObject *sub_element(PyObject *module, PyObject *args, PyObject *names)
{
    PyObject *parent = PyTuple_GET_SIZE(args) > 0 ? PyTuple_GET_ITEM(args, 0) : NULL;
    bool compared = parent != NULL && is_recorded(parent);
    PyObject *result = sub_element_original(module, args, names);
    if (compared && recorder.recording)
        compare(parent);
    return result;
}

static void replace_sub_element(void)
{
    PyObject *name = PyUnicode_FromString("_elementtree");
    PyObject *module = name == NULL ? NULL : PyImport_GetModule(name);
    PyObject *dict = module == NULL || !PyModule_Check(module) ? NULL : PyModule_GetDict(module);
    PyObject *found = dict == NULL ? NULL : dict_find(dict, "SubElement");
    if (found != NULL && PyCFunction_CheckExact(found) && PyCFunction_GET_SELF(found) == module) {
        PyMethodDef *def = ((PyCFunctionObject *)found)->m_ml;
        if (def->ml_flags == (METH_VARARGS | METH_KEYWORDS)) {
            sub_element_def = def;
            sub_element_original = (PyCFunctionWithKeywords)(void (*)(void))def->ml_meth;
            def->ml_meth = (PyCFunction)(void (*)(void))sub_element;
        }
    }
    drop_error();
    Py_XDECREF(module);
    Py_XDECREF(name);
}

bool is_quiet_sub_element(const char *name)
{
    return sub_element_def != NULL && strcmp(name, sub_element_def->ml_name) == 0;
}

/* -- installing ---------------------------------------------------------------------------------------------- */

static PyTypeObject *wrapped; /* compared, never followed */

void element_met(PyTypeObject *type)
{
    if (type == wrapped)
        return;
    PyObject *kind, *error, *traceback;
    PyErr_Fetch(&kind, &error, &traceback);
    PyObject *dict = compat_type_dict(type);
    if (dict != NULL)
        replace_parts(dict);
    Py_XDECREF(dict);
    bool all = element_methods_install(type);
    if (sub_element_def == NULL)
        replace_sub_element();
    wrapped = all ? type : NULL;
    PyErr_Restore(kind, error, traceback);
}

bool element_is_wrapped(PyTypeObject *type)
{
    return wrapped != NULL && type == wrapped;
}

void elements_remove(void)
{
    for (int n = 0; n < PART_COUNT; n++) {
        if (parts[n].def == NULL)
            continue;
        parts[n].def->get = parts[n].get;
        parts[n].def->set = parts[n].set;
        parts[n].def = NULL; /* what it calls is still needed, by calls that are running */
    }
    if (sub_element_def != NULL)
        sub_element_def->ml_meth = (PyCFunction)(void (*)(void))sub_element_original;
    sub_element_def = NULL;
    wrapped = NULL;
}

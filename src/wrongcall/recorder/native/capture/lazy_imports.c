/* Names that `lazy import` binds (from 3.15 on).

   When such a name is first used, the interpreter loads the module and puts it into the namespace. No statement does
   that, so a watcher of the namespace tells it, with the line that used the name. What statements write to the name is
   recorded before it is stored; then the shadow does not hold the placeholder any more. */
#include "base/compat.h"
#include "capture/lazy_imports.h"
#include "base/allocate.h"
#include "capture/activation.h"
#include "emit/content.h"
#include "emit/emit.h"
#include "emit/events.h"
#include "recorder.h"
#include "shadow/attributes.h"
#include "shadow/dict_alias.h"
#include "shadow/identity.h"
#include "shadow/nodes.h"
#include "shadow/program.h"
#include "shadow/table.h"

#if PY_VERSION_HEX >= 0x030F0000
#include <opcode.h>

static int watcher = -1;

/* The module that a namespace belongs to, as far as it is known; else NULL. */
static TableNode *module_table(PyObject *globals)
{
    PyObject *owner;
    Node *node = node_find(globals);
    if (node == NULL || !(node->flags & NODE_ATTRS_OF))
        return NULL;
    node = (Node *)table_owner((TableNode *)node, &owner);
    return node != NULL && is_namespace_layout(node->layout) ? (TableNode *)node : NULL;
}

/* Before the namespace changes. */
static int watch(PyDict_WatchEvent event, PyObject *globals, PyObject *name, PyObject *value)
{
    if (event != PyDict_EVENT_MODIFIED || !recorder.recording || !PyUnicode_CheckExact(name))
        return 0;
    PyObject *before = PyDict_GetItemWithError(globals, name);
    TableNode *table = before != NULL && compat_is_lazy_import(before) ? module_table(globals) : NULL;
    TableEntry *entry = table == NULL ? NULL : table_find(table, NAME_VALUE(name_id(name)));
    Handle *h = entry != NULL && SLOT_PTR(entry->value) == before ? current_settle() : NULL;
    if (h != NULL)
        namespace_write(table, name, value, (Where){SITE_OF_FRAME, h->call}, EV_ATTR);
    drop_error();
    return 0;
}

void lazy_import_bound(PyObject *globals, PyObject *value)
{
    if (compat_is_lazy_import(value) && watcher >= 0 && PyDict_Watch(watcher, globals) < 0)
        drop_error();
}

int lazy_imports_setup(PyObject *module)
{
    watcher = PyDict_AddWatcher(watch);
    if (watcher < 0)
        drop_error(); /* the program's extensions have them all: then the change is not told */
    PyObject *opcodes = Py_BuildValue("(ii)", IMPORT_NAME, EXTENDED_ARG);
    int failed = opcodes == NULL ? -1 : PyModule_AddObjectRef(module, "IMPORTS", opcodes);
    Py_XDECREF(opcodes);
    return failed;
}

#else

void lazy_import_bound(PyObject *globals, PyObject *value)
{
}

int lazy_imports_setup(PyObject *module)
{
    return PyModule_AddObjectRef(module, "IMPORTS", Py_None);
}

#endif

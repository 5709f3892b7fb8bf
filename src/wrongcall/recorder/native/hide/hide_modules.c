/* The recorder needs the types of `_collections`, which plain `python` loads only when a program does. From 3.12 on,
   loading it again makes other types. So it is taken out of sys.modules before the program begins, and when the
   program loads it, it gets the same one. */
#include "base/compat.h"
#include "base/lookup.h"
#include "hide/hide_modules.h"

static PyObject *kept; /* the module, until the program loads it */
static PyCFunction create_builtin;

/* Imports a module; remembers it if the interpreter had not loaded it. There is one of these. */
PyObject *load_module(const char *name)
{
    int loaded = dict_find(PyImport_GetModuleDict(), name) != NULL;
    PyObject *module = PyImport_ImportModule(name);
    if (!loaded && module != NULL)
        Py_XSETREF(kept, Py_NewRef(module));
    return module;
}

static int is_kept(PyObject *spec)
{
    PyObject *name = PyObject_GetAttrString(spec, "name");
    int same = name != NULL && PyUnicode_Check(name) &&
               PyUnicode_CompareWithASCIIString(name, PyModule_GetName(kept)) == 0;
    Py_XDECREF(name);
    if (name == NULL)
        PyErr_Clear(); /* the interpreter will find out */
    return same;
}

/* The interpreter initialises a module that it made only if it has no state yet. */
static PyObject *create_or_show(PyObject *self, PyObject *spec)
{
    if (kept == NULL || !is_kept(spec))
        return create_builtin(self, spec);
    PyObject *module = kept;
    kept = NULL;
    return module;
}

int hide_modules_install(void)
{
    PyObject *modules = PyImport_GetModuleDict(); /* borrowed */
    PyObject *imp = dict_find(modules, "_imp");
    PyObject *create = imp == NULL ? NULL : dict_find(PyModule_GetDict(imp), "create_builtin");
    if (kept == NULL || create == NULL || !PyCFunction_CheckExact(create))
        return 0;
    PyMethodDef *def = ((PyCFunctionObject *)create)->m_ml;
    if (def->ml_flags != METH_O)
        return 0; /* another way of calling it: the program sees the module */
    create_builtin = def->ml_meth;
    def->ml_meth = create_or_show;
    return PyDict_DelItemString(modules, PyModule_GetName(kept));
}

/* C functions and methods after which nothing has to be compared: they change nothing, or record it themselves. */
#include "base/compat.h"
#include "foreign/quiet_callees.h"
#include "base/allocate.h"
#include "base/function_names.h"
#include "capture/element_slots.h"
#include "capture/mutators.h"
#include "recorder.h"
#include <string.h>

static bool function_is_pure(PyObject *module, const char *name)
{
    static const char *const impure[] = {
        "getattr",         "exec", "eval", "setattr", "delattr", "__import__",
        "__build_class__", "vars", "open", NULL};
    static const char *const modules[] = {"math",  "cmath", "time", "zlib",    "_stat",
                                          "posix", "errno", "gc",   "_bisect", NULL};
    static const char *const profiling[] = {"setprofile", "getprofile", NULL};
    const char *module_name = PyModule_GetName(module);
    if (module_name == NULL) {
        drop_error();
        return false;
    }
    if (strcmp(module_name, "builtins") == 0)
        return !one_of(name, impure);
    if (strcmp(module_name, "_bisect") == 0)
        return strncmp(name, "insort", 6) != 0;
    if (strcmp(module_name, "posix") == 0)
        return strcmp(name, "write") != 0 && strcmp(name, "readv") != 0;
    if (strcmp(module_name, "_elementtree") == 0)
        return is_quiet_sub_element(name);
    if (strcmp(module_name, "sys") == 0)
        return one_of(name, profiling); /* a profile function is told of these calls, too */
    return one_of(module_name, modules);
}

bool type_is_quiet(PyTypeObject *t)
{
    static const char *const names[] = {
        "re.Pattern",      "re.Match", "datetime.datetime", "datetime.date", "datetime.timedelta",
        "decimal.Decimal", NULL};
    return t == &PyUnicode_Type || t == &PyLong_Type || t == &PyFloat_Type || t == &PyBytes_Type ||
           t == &PyTuple_Type || t == &PyFrozenSet_Type || t == &PyRange_Type || t == &PyBool_Type ||
           t == &PyComplex_Type || t == &PyList_Type || t == &PyDict_Type || t == &PySet_Type ||
           t == recorder.types.deque || t == recorder.types.defaultdict || t == recorder.types.ordered_dict ||
           t == &PyByteArray_Type || array_is_wrapped(t) || element_is_wrapped(t) ||
           one_of(t->tp_name, names);
}

bool callee_is_pure(PyObject *callee)
{
    PyObject *self = PyCFunction_GET_SELF(callee);
    const char *name = ((PyCFunctionObject *)callee)->m_ml->ml_name;
    if (self == NULL)
        return false;
    if (PyModule_Check(self))
        return function_is_pure(self, name);
    if (name[0] == '_' && name[1] == '_')
        return false;
    return type_is_quiet(Py_TYPE(self)) || PyType_Check(self);
}

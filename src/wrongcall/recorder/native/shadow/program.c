/* What is the program's own: its modules, its classes and what they hold. */
#include "base/compat.h"
#include "shadow/program.h"
#include "base/allocate.h"
#include "base/lookup.h"
#include "emit/events.h"
#include "known/pandas_frames.h"
#include "recorder.h"
#include "shadow/shape.h"

void program_module(PyObject *globals)
{
    PyObject *name = dict_find(globals, "__name__");
    if (recorder.program_names == NULL)
        recorder.program_names = PySet_New(NULL);
    if (name != NULL && PyUnicode_CheckExact(name) && recorder.program_names != NULL)
        PySet_Add(recorder.program_names, name);
    drop_error();
}

static bool in_program(PyObject *dict, const char *key)
{
    PyObject *module = dict == NULL ? NULL : dict_find(dict, key);
    return module != NULL && PyUnicode_CheckExact(module) && recorder.program_names != NULL &&
           PySet_Contains(recorder.program_names, module) == 1;
}

bool is_namespace_layout(int layout)
{
    return layout == LAYOUT_CLASS || layout == LAYOUT_MODULE;
}

PyObject *namespace_of(PyObject *o)
{
    PyObject *dict = PyType_Check(o) ? compat_type_dict((PyTypeObject *)o) : Py_XNewRef(PyModule_GetDict(o));
    if (dict != NULL && !in_program(dict, PyType_Check(o) ? "__module__" : "__name__"))
        Py_CLEAR(dict); /* a library's: not followed */
    return dict;
}

bool is_class_data(PyObject *name, PyObject *value)
{
    if (PyUnicode_GET_LENGTH(name) > 4 && PyUnicode_READ_CHAR(name, 0) == '_' &&
        PyUnicode_READ_CHAR(name, 1) == '_')
        return false;
    return !PyFunction_Check(value) && Py_TYPE(value)->tp_descr_get == NULL;
}

/* Whose class is it: the program's, a library's, or the interpreter's? */
int origin_of(PyTypeObject *type)
{
    Shape *shape = shape_of(type);
    if (shape->origin == 0) {
        PyObject *dict = namespace_of((PyObject *)type);
        shape->origin = dict != NULL                             ? ORIGIN_PROGRAM
                        : (type->tp_flags & Py_TPFLAGS_HEAPTYPE) ? ORIGIN_LIBRARY
                                                                 : ORIGIN_BUILTIN;
        Py_XDECREF(dict);
    }
    return shape->origin;
}

bool is_program_type(PyTypeObject *type)
{
    return origin_of(type) == ORIGIN_PROGRAM;
}

bool is_library_instance(PyObject *o)
{
    return !PyType_Check(o) && origin_of(Py_TYPE(o)) == ORIGIN_LIBRARY && !is_frame(o);
}

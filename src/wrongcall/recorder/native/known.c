/* Types of C whose inside the recorder can read: dates, decimals, open files, ...

   Their objects are instances whose attributes are *parts*: named values that a reader takes from
   the object's C struct or by the public C API, without running code of the program. A reader
   belongs to the type itself, so objects of subclasses have the parts too, beside their own
   attributes. An object whose layout is not what the reader expects has no parts. */
#include "known.h"

static const KnownType *const tables[] = {known_values, known_iterators, known_streams, known_state};

/* Made in C, not by a class statement that took the same name. */
static bool is_made_in_c(PyTypeObject *type)
{
    return !(type->tp_flags & Py_TPFLAGS_HEAPTYPE) || (type->tp_flags & Py_TPFLAGS_IMMUTABLETYPE) ||
           ((PyHeapTypeObject *)type)->ht_module != NULL;
}

/* A class of Python, by its module and name. */
static const KnownType *known_class(PyTypeObject *type)
{
    PyObject *dict = compat_type_dict(type);
    PyObject *module = dict == NULL ? NULL : PyDict_GetItemString(dict, "__module__");
    const char *name = module != NULL && PyUnicode_CheckExact(module) ? PyUnicode_AsUTF8(module) : NULL;
    const KnownType *known = known_classes;
    size_t length = name == NULL ? 0 : strlen(name);
    while (known->name != NULL && !(length > 0 && strncmp(known->name, name, length) == 0 &&
                                    known->name[length] == '.' &&
                                    strcmp(known->name + length + 1, type->tp_name) == 0))
        known++;
    drop_error();
    Py_XDECREF(dict);
    return known->name == NULL ? NULL : known;
}

static const KnownType *known_exactly(PyTypeObject *type)
{
    if (!is_made_in_c(type))
        return known_class(type);
    for (size_t i = 0; i < Py_ARRAY_LENGTH(tables); i++) {
        for (const KnownType *known = tables[i]; known->name != NULL; known++) {
            if (strcmp(known->name, type->tp_name) == 0 &&
                (known->size == 0 || known->size == type->tp_basicsize))
                return known;
        }
    }
    return NULL;
}

const KnownType *known_type(PyTypeObject *type)
{
    for (; type != NULL && type != &PyBaseObject_Type; type = type->tp_base) {
        const KnownType *known = known_exactly(type);
        if (known != NULL)
            return known;
    }
    return NULL;
}

PyTypeObject *known_base(PyObject *o)
{
    PyTypeObject *type = Py_TYPE(o);
    while (type != NULL && known_exactly(type) == NULL)
        type = type->tp_base;
    return type;
}

static PyObject *known_descriptor(PyObject *o, const char *name) /* new reference or NULL */
{
    PyTypeObject *type = known_base(o);
    PyObject *dict = type == NULL ? NULL : compat_type_dict(type);
    PyObject *found = dict == NULL ? NULL : Py_XNewRef(PyDict_GetItemString(dict, name));
    Py_XDECREF(dict);
    drop_error();
    return found;
}

PyObject *known_getter(PyObject *o, const char *name)
{
    PyObject *found = known_descriptor(o, name), *value = NULL;
    if (found != NULL && (Py_IS_TYPE(found, &PyGetSetDescr_Type) || Py_IS_TYPE(found, &PyMemberDescr_Type)))
        value = Py_TYPE(found)->tp_descr_get(found, o, (PyObject *)Py_TYPE(o));
    Py_XDECREF(found);
    drop_error();
    return value;
}

PyObject *known_call(PyObject *o, const char *name)
{
    PyObject *found = known_descriptor(o, name), *value = NULL;
    if (found != NULL && Py_IS_TYPE(found, &PyMethodDescr_Type))
        value = PyObject_CallOneArg(found, o);
    Py_XDECREF(found);
    drop_error();
    return value;
}

bool known_is_of_c(Shape *shape)
{
    return shape->known != NULL && !shape->known->is_class;
}

bool known_changes(Shape *shape)
{
    return shape->known != NULL && shape->known->changes;
}

uint64_t known_state_of(PyObject *o, Shape *shape)
{
    return shape->known->state == NULL ? 0 : shape->known->state(o);
}

bool known_for_ever(Shape *shape)
{
    PyTypeObject *type = shape->type;
    return shape->known != NULL && !shape->known->changes && shape->fixed == 0 &&
           type->tp_dictoffset == 0 && !(type->tp_flags & Py_TPFLAGS_MANAGED_DICT);
}

void part_see(Parts *parts, const char *name, PyObject *value)
{
    PyObject *interned = value == NULL ? NULL : PyUnicode_InternFromString(name);
    if (interned != NULL)
        parts->visit(interned, value, parts->context);
    else
        drop_error();
    Py_XDECREF(interned);
}

void part_take(Parts *parts, const char *name, PyObject *value)
{
    if (value != NULL && !is_atom(value))
        explore_keep(value);
    part_see(parts, name, value);
    Py_XDECREF(value);
}

void known_visit(PyObject *o, Shape *shape, VisitPart visit, void *context)
{
    if (shape->known == NULL)
        return;
    Parts parts = {visit, context};
    int collecting = PyGC_Disable(); /* a collection may run code of the program */
    shape->known->read(o, &parts);
    drop_error();
    if (collecting)
        PyGC_Enable();
}

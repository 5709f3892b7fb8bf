/* Types whose inside the recorder can read: dates, decimals, open files, ...

   Their objects have attributes that are *parts*: named values that a reader takes from the object's
   C struct or by the public C API, without running code of the program. A reader belongs to the type
   itself, so objects of subclasses have the parts too, beside their own attributes. An object whose
   layout is not what the reader expects has no parts.

   A few classes of the standard library are written in Python and fill their slots lazily (pathlib).
   They are read in the same way; their own slots are bookkeeping and not recorded. */
#include "base/compat.h"
#include "known/known.h"
#include "base/allocate.h"
#include "base/lookup.h"
#include "known/readers.h"
#include "shadow/first_sight.h"
#include "shadow/shape.h"
#include "shadow/slot.h"
#include <string.h>

static const KnownType *const tables[] = {known_values, known_iterators, known_streams, known_state,
                                          known_frames};

bool is_made_in_c(PyTypeObject *type)
{
    return !(type->tp_flags & Py_TPFLAGS_HEAPTYPE) || (type->tp_flags & Py_TPFLAGS_IMMUTABLETYPE) ||
           ((PyHeapTypeObject *)type)->ht_module != NULL;
}

static const KnownType *find_in(const KnownType *known, PyTypeObject *type)
{
    while (known->name != NULL && strcmp(known->name, type->tp_name) != 0)
        known++;
    /* A type of that name that has no room for the struct is another one. */
    return known->name == NULL || known->size > type->tp_basicsize ? NULL : known;
}

static const KnownType *known_exactly(PyTypeObject *type)
{
    const KnownType *known = NULL;
    if (!is_made_in_c(type))
        return find_in(known_rust, type);
    for (size_t i = 0; known == NULL && i < Py_ARRAY_LENGTH(tables); i++)
        known = find_in(tables[i], type);
    return known;
}

/* A class statement of the standard library, by module and name: `pathlib._local.PurePath`. */
static const KnownType *class_in(PyTypeObject *type, const KnownType *known)
{
    if (is_made_in_c(type))
        return NULL;
    PyObject *dict = compat_type_dict(type);
    PyObject *module = dict == NULL ? NULL : dict_find(dict, "__module__");
    for (; known->name != NULL; known++) {
        const char *dot = strrchr(known->name, '.');
        if (strcmp(dot + 1, type->tp_name) == 0 && module != NULL && PyUnicode_CheckExact(module) &&
            PyUnicode_IS_COMPACT_ASCII(module) && PyUnicode_GET_LENGTH(module) == dot - known->name &&
            memcmp(PyUnicode_1BYTE_DATA(module), known->name, (size_t)(dot - known->name)) == 0)
            break;
    }
    Py_XDECREF(dict);
    return known->name == NULL ? NULL : known;
}

const KnownType *known_type(PyTypeObject *type)
{
    for (; type != NULL && type != &PyBaseObject_Type; type = type->tp_base) {
        const KnownType *known = known_exactly(type);
        if (known == NULL)
            known = class_in(type, known_library);
        if (known == NULL)
            known = class_in(type, known_classes);
        if (known != NULL)
            return known;
    }
    return NULL;
}

bool known_instead_of_slots(PyTypeObject *type)
{
    return class_in(type, known_library) != NULL;
}

bool known_is_of_c(Shape *shape)
{
    return shape->known != NULL && !shape->known->is_class;
}

bool known_is_exact(PyObject *o)
{
    return known_exactly(Py_TYPE(o)) != NULL;
}

bool known_changes(Shape *shape)
{
    return shape->known != NULL && shape->known->changes;
}

bool known_has_state(Shape *shape)
{
    return shape->known != NULL && shape->known->state != NULL;
}

uint64_t known_state_of(PyObject *o, Shape *shape)
{
    return shape->known->state(o);
}

/* Members of the C type itself never change either; those of a subclass may. */
bool known_for_ever(Shape *shape)
{
    PyTypeObject *type = shape->type;
    if (shape->known == NULL || shape->known->changes || type->tp_dictoffset != 0 ||
        (type->tp_flags & Py_TPFLAGS_MANAGED_DICT))
        return false;
    return shape->fixed == 0 || !(type->tp_flags & Py_TPFLAGS_BASETYPE);
}

/* -- asking the C type ------------------------------------------------------------------------------------- */

static PyTypeObject *base_named(PyTypeObject *type, const char *name)
{
    for (; type != NULL; type = type->tp_base) {
        if (strcmp(type->tp_name, name) == 0 && is_made_in_c(type))
            return type;
    }
    return NULL;
}

/* What a type has itself under this name; borrowed or NULL. */
static PyObject *own_descriptor(PyTypeObject *type, const char *name)
{
    PyObject *dict = compat_type_dict(type);
    PyObject *found = dict == NULL ? NULL : dict_find(dict, name);
    Py_XDECREF(dict);
    return found;
}

/* The same, or what its bases have; borrowed or NULL. */
static PyObject *descriptor_of(PyTypeObject *base, const char *name)
{
    PyObject *found = NULL;
    for (; found == NULL && base != NULL; base = base->tp_base)
        found = own_descriptor(base, name);
    return found;
}

PyObject *known_get(PyObject *o, const char *type_name, const char *attribute)
{
    PyTypeObject *base = base_named(Py_TYPE(o), type_name);
    PyObject *descriptor = descriptor_of(base, attribute);
    if (descriptor == NULL ||
        (!Py_IS_TYPE(descriptor, &PyGetSetDescr_Type) && !Py_IS_TYPE(descriptor, &PyMemberDescr_Type)))
        return NULL;
    return Py_TYPE(descriptor)->tp_descr_get(descriptor, o, (PyObject *)base);
}

PyObject *known_call(PyObject *o, const char *type_name, const char *method)
{
    PyObject *descriptor = descriptor_of(base_named(Py_TYPE(o), type_name), method);
    if (descriptor == NULL || !Py_IS_TYPE(descriptor, &PyMethodDescr_Type))
        return NULL;
    return PyObject_CallOneArg(descriptor, o);
}

static const char *name_of_known(PyObject *o)
{
    const KnownType *known = known_type(Py_TYPE(o));
    return known == NULL ? "" : known->name;
}

PyObject *known_getter(PyObject *o, const char *attribute)
{
    PyObject *value = known_get(o, name_of_known(o), attribute);
    drop_error();
    return value;
}

PyObject *known_method(PyObject *o, const char *method)
{
    PyObject *value = known_call(o, name_of_known(o), method);
    drop_error();
    return value;
}

PyObject *known_slot(PyObject *o, const char *name)
{
    for (PyTypeObject *type = Py_TYPE(o); type != NULL; type = type->tp_base) {
        PyObject *descriptor = own_descriptor(type, name);
        if (descriptor == NULL || !Py_IS_TYPE(descriptor, &PyMemberDescr_Type))
            continue;
        PyMemberDef *member = ((PyMemberDescrObject *)descriptor)->d_member;
        if (member->type == T_OBJECT_EX && member->offset > 0)
            return *(PyObject **)((char *)o + member->offset);
    }
    return NULL;
}

/* -- parts --------------------------------------------------------------------------------------------------- */

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

/* Types of C whose inside the recorder can read: dates, decimals, open files, ...

   Their objects are instances whose attributes are *parts*: named values that a reader takes from
   the object's C struct or by the public C API, without running code of the program. A reader
   belongs to the type itself, so objects of subclasses have the parts too, beside their own
   attributes. An object whose layout is not what the reader expects has no parts. */
#include "known.h"

static const KnownType *const tables[] = {known_values, known_frames};

bool is_made_in_c(PyTypeObject *type)
{
    return !(type->tp_flags & Py_TPFLAGS_HEAPTYPE) ||
           ((PyHeapTypeObject *)type)->ht_module != NULL;
}

static const KnownType *find_in(const KnownType *known, PyTypeObject *type)
{
    while (known->name != NULL && strcmp(known->name, type->tp_name) != 0)
        known++;
    return known->name == NULL ? NULL : known;
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

const KnownType *known_type(PyTypeObject *type)
{
    for (; type != NULL && type != &PyBaseObject_Type; type = type->tp_base) {
        const KnownType *known = known_exactly(type);
        if (known != NULL)
            return known;
    }
    return NULL;
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

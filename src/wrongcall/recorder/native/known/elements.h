/* Elements of xml.etree.ElementTree: their children and their parts. */
#ifndef WRONGCALL_ELEMENTS_H
#define WRONGCALL_ELEMENTS_H

#include "base/compat.h"
#include "shadow/shape.h"

PyTypeObject *element_base(PyTypeObject *type); /* the C type, if the type is that or a subclass; else NULL */
Py_ssize_t element_count(PyObject *o);          /* of children */
PyObject **element_children(PyObject *o);       /* borrowed, valid until the element changes */
PyObject *element_attrib(PyObject *o);          /* borrowed; NULL: no dict was needed so far */
extern const KnownType known_element;           /* reads the other parts */

#endif

/* Changes to elements of xml.etree.ElementTree that are not made by their methods. */
#ifndef WRONGCALL_ELEMENT_SLOTS_H
#define WRONGCALL_ELEMENT_SLOTS_H

#include "base/compat.h"
#include <stdbool.h>

void element_met(PyTypeObject *type);        /* the C type: from now on, changes of its objects are told */
void elements_remove(void);                  /* after a recording */
bool element_is_wrapped(PyTypeObject *type); /* whether it is the C type, and its methods tell changes */
bool is_quiet_sub_element(const char *name); /* of a function of _elementtree */

#endif

/* The methods of built-in containers, wrapped so that each change is an event. */
#ifndef WRONGCALL_MUTATORS_H
#define WRONGCALL_MUTATORS_H

#include "base/compat.h"
#include <stdbool.h>

int mutators_install(void);
void mutators_remove(void);
bool array_is_wrapped(PyTypeObject *type);        /* wraps array.array's methods; false: it is not that */
bool element_methods_install(PyTypeObject *type); /* the same for elements of xml.etree; false: not for all */

#endif

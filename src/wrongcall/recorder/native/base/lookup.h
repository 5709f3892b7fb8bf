/* Finding an entry of a dict by its name, whatever state the program is in. */
#ifndef WRONGCALL_LOOKUP_H
#define WRONGCALL_LOOKUP_H

#include "base/compat.h"

/* The value under a name (of ASCII), borrowed, or NULL. Without memory for the key, recording ends. An error that the program
   has stays; none is added, and none is printed, as PyDict_GetItemString does from 3.13 on. */
PyObject *dict_find(PyObject *dict, const char *name);

#endif

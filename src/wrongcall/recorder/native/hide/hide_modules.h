/* Modules that the recorder loaded before the program did. */
#ifndef WRONGCALL_HIDE_MODULES_H
#define WRONGCALL_HIDE_MODULES_H

#include "base/compat.h"

PyObject *load_module(const char *name); /* new reference */
int hide_modules_install(void);          /* for good: the program may load it at any time */

#endif

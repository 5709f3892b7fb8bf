/* Descriptors of libraries, which change the object they are asked about. */
#ifndef WRONGCALL_DESCRIPTOR_H
#define WRONGCALL_DESCRIPTOR_H

#include "base/compat.h"

void descriptor_meet(PyTypeObject *type); /* the type of an attribute of a class */

#endif

/* Deaths of objects. */
#ifndef WRONGCALL_LIFETIME_H
#define WRONGCALL_LIFETIME_H

#include "base/compat.h"

int lifetime_install(void);
/* A type that keeps a free list: its deaths are told by its deallocator. */
void lifetime_watch(PyTypeObject *type);
/* The first object of a type was seen: it may be a private one of the interpreter that keeps a free list. */
void lifetime_meet(PyTypeObject *type);
void lifetime_remove(void);

#endif

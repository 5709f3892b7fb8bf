/* Deaths of objects. */
#ifndef WRONGCALL_LIFETIME_H
#define WRONGCALL_LIFETIME_H

#include "base/compat.h"

int lifetime_install(void);
void lifetime_watch(
    PyTypeObject *type); /* one that keeps a free list: its deaths are told by its deallocator */
void lifetime_remove(void);

#endif

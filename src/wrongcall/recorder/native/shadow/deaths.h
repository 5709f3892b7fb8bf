/* Which objects died whose address a shadow may still hold. */
#ifndef WRONGCALL_DEATHS_H
#define WRONGCALL_DEATHS_H

#include "base/compat.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is known of the deaths since a container was last compared. */
typedef struct {
    bool some;       /* there were some */
    uint32_t filter; /* number of the filter that was made of their addresses; 0: any object may have died */
} Deaths;

void death_note(void *base); /* an object died, and a shadow may hold its address */
/* Since an epoch (a count of deaths), for a container of so many references. */
Deaths deaths_since(uint32_t epoch, size_t references);
bool deaths_include(Deaths deaths, PyObject *v); /* false: nothing at this address has died */

#endif

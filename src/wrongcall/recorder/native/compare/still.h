/* Is it still what was last seen?

   Pointers are compared. An atom's pointer is enough, because the shadow keeps the atom alive. Another
   object's is enough unless objects died whose address a shadow may hold: then the object must still be
   known, and not be younger than anything that was put there. */
#ifndef WRONGCALL_STILL_H
#define WRONGCALL_STILL_H

#include "base/compat.h"
#include "shadow/deaths.h"
#include "shadow/identity.h"
#include "shadow/nodes.h"
#include "shadow/slot.h"
#include <stdbool.h>
#include <stdint.h>

static const Deaths any_death = {true, 0};

static inline bool still(Slot slot, PyObject *v, Deaths deaths, uint64_t newest)
{
    if (SLOT_PTR(slot) != v)
        return false;
    if (!deaths.some || SLOT_OWNED(slot) || v == NULL || !deaths_include(deaths, v))
        return true;
    Node *node = node_find(v);
    return node != NULL && node->oid <= newest;
}

#endif

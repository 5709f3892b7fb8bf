/* Which objects died whose address a shadow may still hold.

   An address that is used again looks like the object that was there. So when a container is compared, each of its
   references has to be looked up, unless nothing has died at that address since the last time. The addresses of
   recent deaths are kept in a ring; for a container that is large enough, they are put into a Bloom filter, which
   answers faster than the table of all objects. */
#include "base/compat.h"
#include "shadow/deaths.h"
#include "recorder.h"
#include <string.h>

#define RECENT 4096
#define BITS 65536        /* of the filter */
#define FEW_REFERENCES 48 /* looking them up is faster than making a filter */

static uintptr_t recent[RECENT]; /* by the number of the death */
static uint64_t bits[BITS / 64];
static uint32_t filter_number;
static uint32_t filter_from, filter_to; /* deaths that it has */

void death_note(void *base)
{
    recent[recorder.identity.slot_deaths++ % RECENT] = (uintptr_t)base;
}

static inline size_t place_of(uintptr_t unit)
{
    return (size_t)((uint64_t)unit * 0x9E3779B97F4A7C15ull >> 48);
}

/* An object begins up to 32 bytes behind its allocation: both units of 32 bytes stand for it. */
static void put(uintptr_t base)
{
    for (uintptr_t unit = base >> 5; unit <= (base >> 5) + 1; unit++)
        bits[place_of(unit) / 64] |= 1ull << (place_of(unit) % 64);
}

static void make_filter(uint32_t from)
{
    uint32_t now = recorder.identity.slot_deaths;
    if (filter_number == 0 || filter_from != from) {
        memset(bits, 0, sizeof bits);
        filter_from = filter_to = from;
    }
    else if (filter_to == now)
        return;
    for (; filter_to != now; filter_to++)
        put(recent[filter_to % RECENT]);
    if (++filter_number == 0)
        filter_number = 1;
}

Deaths deaths_since(uint32_t epoch, size_t references)
{
    uint32_t count = recorder.identity.slot_deaths - epoch;
    if (count == 0)
        return (Deaths){false, 0};
    if (references < FEW_REFERENCES || count > RECENT || count > references * 4)
        return (Deaths){true, 0};
    make_filter(epoch);
    return (Deaths){true, filter_number};
}

/* Another container may have been compared in between: then the filter is not this one's any more. */
bool deaths_include(Deaths deaths, PyObject *v)
{
    if (deaths.filter == 0 || deaths.filter != filter_number)
        return deaths.some;
    size_t place = place_of((uintptr_t)v >> 5);
    return bits[place / 64] >> (place % 64) & 1;
}

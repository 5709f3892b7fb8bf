/* Watched dicts and sets: what is known about each of them, beside its shadow. */
#include "base/compat.h"
#include "compare/watches.h"
#include "base/allocate.h"
#include "shadow/nodes.h"

#define MOST 65535 /* as many as the number in a node can count */

static Watch *watches; /* owned; the first is not used */
static uint32_t count, room;
static uint32_t *unused; /* owned: numbers to be given out again */
static uint32_t unused_count;

Watch *watch_of(TableNode *t)
{
    return t->watch == 0 ? NULL : &watches[t->watch];
}

static bool grow(void)
{
    uint32_t bigger = room == 0 ? 64 : room * 2;
    Watch *all = reallocate(watches, bigger, sizeof *watches);
    if (all == NULL)
        return false;
    watches = all;
    uint32_t *numbers = reallocate(unused, bigger, sizeof *unused);
    if (numbers == NULL)
        return false;
    unused = numbers;
    room = bigger;
    return true;
}

static uint32_t next_number(void)
{
    if (unused_count > 0)
        return unused[--unused_count];
    if (count == 0)
        count = 1;
    if (count > MOST || (count >= room && !grow()))
        return 0;
    return count++;
}

Watch *watch_new(TableNode *t)
{
    if (t->watch == 0)
        t->watch = (uint16_t)next_number();
    else
        release(watches[t->watch].changes);
    if (t->watch == 0)
        return NULL;
    watches[t->watch] = (Watch){0};
    return &watches[t->watch];
}

void watch_end(TableNode *t)
{
    if (t->watch == 0)
        return;
    release(watches[t->watch].changes);
    watches[t->watch] = (Watch){0};
    unused[unused_count++] = t->watch;
    t->watch = 0;
}

void watches_drop(void)
{
    watches = NULL; /* the parent's, too */
    unused = NULL;
    count = room = unused_count = 0;
}

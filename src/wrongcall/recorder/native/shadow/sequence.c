/* What was last seen in a list or deque.

   The live part may begin behind the start of the block, so that a queue that is filled at one end and
   emptied at the other costs nothing per element. */
#include "base/compat.h"
#include "shadow/sequence.h"
#include "base/allocate.h"
#include "base/branches.h"
#include "shadow/nodes.h"
#include "shadow/slot.h"
#include <string.h>

static Slot *live(SequenceNode *s)
{
    return s->items + s->start;
}

/* Room for n more elements at the end (front: at the beginning); false: there is no memory. */
static bool make_room(SequenceNode *s, size_t n, bool front)
{
    if (front ? s->start >= n : s->start + s->count + n <= s->room)
        return true;
    size_t spare = s->count / 4 + 4 + n;
    size_t start = front ? spare : (s->start > s->count ? s->count / 8 : s->start);
    size_t room = start + s->count + (front ? s->count / 8 + 1 : spare);
    if (start == s->start) {
        Slot *items = reallocate(s->items, room, sizeof *items);
        if (items == NULL)
            return false;
        s->items = items;
        s->room = (uint32_t)room;
        return true;
    }
    Slot *items = allocate(room, sizeof *items);
    if (items == NULL)
        return false;
    if (s->count > 0)
        memcpy(items + start, live(s), s->count * sizeof *items);
    release(s->items);
    s->items = items;
    s->start = (uint32_t)start;
    s->room = (uint32_t)room;
    return true;
}

void sequence_reserve(SequenceNode *s, size_t n)
{
    if (s->items != NULL || n == 0)
        return;
    s->items = allocate(n, sizeof *s->items);
    if (s->items != NULL)
        s->room = (uint32_t)n;
}

/* Without memory it does not grow, and is shorter than what it stands for from then on. */
void sequence_insert(SequenceNode *s, size_t at, Slot slot)
{
    bool front = at == 0 && s->count > 0;
    if (UNLIKELY(at > s->count || !make_room(s, 1, front))) {
        slot_release(slot);
        return;
    }
    if (front)
        s->start--;
    else {
        memmove(live(s) + at + 1, live(s) + at, (s->count - at) * sizeof *s->items);
    }
    live(s)[at] = slot;
    s->count++;
}

void sequence_remove(SequenceNode *s, size_t at, size_t n)
{
    if (UNLIKELY(at + n > s->count))
        return;
    for (size_t i = at; i < at + n; i++)
        slot_release(live(s)[i]);
    if (at == 0)
        s->start += (uint32_t)n;
    else
        memmove(live(s) + at, live(s) + at + n, (s->count - at - n) * sizeof *s->items);
    s->count -= (uint32_t)n;
}

void sequence_set(SequenceNode *s, size_t at, Slot slot)
{
    Slot old = slot;
    if (LIKELY(at < s->count)) {
        old = live(s)[at];
        live(s)[at] = slot;
    }
    slot_release(old);
}

void sequence_clear(SequenceNode *s)
{
    sequence_remove(s, 0, s->count);
    release(s->items);
    s->items = NULL;
    s->start = s->room = 0;
}

void sequence_free(SequenceNode *s)
{
    for (size_t i = 0; i < s->count; i++)
        slot_release(live(s)[i]);
    release(s->items);
}

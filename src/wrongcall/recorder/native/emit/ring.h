/* The ring in shared memory: where events go. */
#ifndef WRONGCALL_RING_H
#define WRONGCALL_RING_H

#include "base/branches.h"
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint8_t kind, ktag, vtag, hi;
    uint32_t site, call, obj;
    uint64_t key, value;
} Event;

typedef struct {
    Event *events;
    uint64_t mask;  /* event capacity - 1 */
    uint64_t head;  /* next event number */
    uint64_t limit; /* head may grow to here before the tail must be read again */
    volatile uint64_t *shared_head;
} Ring;

extern Ring ring;
extern bool recording; /* false: before the start, after the end, in a forked child */

int ring_open(int fd);
void ring_stop(int state);
enum { GAVE_UP_READER = 3, GAVE_UP_MEMORY = 4 }; /* as in trace/ring.py */
void ring_give_up(int why); /* recording ends, the program goes on */
void ring_tell(void);       /* at the end: what the user does not know yet */
void ring_wait(void);
void ring_bytes(const void *data, size_t size);

static inline void ring_put(Event e)
{
    if (UNLIKELY(ring.head == ring.limit))
        ring_wait();
    ring.events[ring.head & ring.mask] = e;
    ring.head++;
    __atomic_store_n(ring.shared_head, ring.head, __ATOMIC_RELEASE);
}

#endif

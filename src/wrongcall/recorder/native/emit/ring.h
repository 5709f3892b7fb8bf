/* The ring in shared memory: where events go. */
#ifndef WRONGCALL_RING_H
#define WRONGCALL_RING_H

#include "base/branches.h"
#include "emit/event.h"
#include "recorder.h"
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

int ring_open(int fd, pid_t drain); /* drain: the process that reads it; 0: the parent */
void ring_close(void);              /* after a recording: the memory is not this process's any more */
bool ring_make(void);               /* a new one in the shared folder */
void ring_open_later(void);         /* in a forked child: a new one when there is something to hand over */
void ring_leave(void);              /* in a forked child: the ring is the parent's */
void ring_stop(int state);
enum { GAVE_UP_READER = 3, GAVE_UP_MEMORY = 4 }; /* as in trace/ring.py */
void ring_give_up(int why);                      /* recording ends, the program goes on */
void ring_tell(void);                            /* at the end: what the user does not know yet */
void ring_wait(void);
void ring_bytes(const void *data, size_t size);

/* Foreign code ran, which may have got something from another process: the next event needs a mark. */
static inline void ring_foreign(void)
{
    recorder.transport.last_mark = 0;
}

static inline void ring_put(Event e)
{
    if (UNLIKELY(recorder.ring.head == recorder.ring.limit))
        ring_wait();
    recorder.ring.events[recorder.ring.head & recorder.ring.mask] = e;
    recorder.ring.head++;
    __atomic_store_n(recorder.ring.shared_head, recorder.ring.head, __ATOMIC_RELEASE);
}

#endif

/* An event as wrongcall/events.py draws it, for all kernels that read whole events. */
#ifndef WRONGCALL_EVENT_H
#define WRONGCALL_EVENT_H

#include <stdint.h>

typedef struct {
    uint8_t kind, ktag, vtag, hi;
    uint32_t site, call, obj;
    int64_t key, value;
} Event;

_Static_assert(sizeof(Event) == 32, "an event has 32 bytes");

static inline uint64_t obj_of(const Event *event)
{
    return event->obj | (uint64_t)(event->hi >> 4) << 32;
}

static inline uint64_t call_of(const Event *event)
{
    return event->call | (uint64_t)(event->hi & 15) << 32;
}

#endif

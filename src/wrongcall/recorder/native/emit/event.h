/* Events and what they are made of: types alone. */
#ifndef WRONGCALL_EVENT_H
#define WRONGCALL_EVENT_H

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

typedef struct {
    uint8_t tag;
    uint64_t bits;
} Value;

typedef struct {
    uint32_t site;
    uint64_t call;
} Where; /* on whose behalf an event happens */

#endif

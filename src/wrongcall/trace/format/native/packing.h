/* What the kernels of the trace share: the shape of an event, and the methods of each file. */
#ifndef WRONGCALL_TRACE_PACKING_H
#define WRONGCALL_TRACE_PACKING_H

#include "pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* As wrongcall/events.py draws it. */
typedef struct {
    uint8_t kind, ktag, vtag, hi;
    uint32_t site, call, obj;
    int64_t key, value;
} Event;

_Static_assert(sizeof(Event) == 32, "an event has 32 bytes");

/* A segment has at most so many events, so that 16 bits number them. */
#define MOST 65536

/* What a kind of event means to owner indexes: bits of its role. The owner of an event is an object or a call. */
enum { OF_OBJECT = 1, OF_VARIABLE = 2, FIRST_SIGHT = 4, BEGINNING = 8 };
#define IS_OBJECT ((uint64_t)1 << 40)

extern PyMethodDef planes_methods[];
extern PyMethodDef rows_methods[];
extern PyMethodDef survey_methods[];
extern PyMethodDef sift_methods[];

#endif

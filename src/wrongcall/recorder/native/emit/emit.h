/* Events: on whose behalf something happened, and to what. */
#ifndef WRONGCALL_EMIT_H
#define WRONGCALL_EMIT_H

#include "base/branches.h"
#include "emit/event.h"
#include "emit/events.h"
#include "emit/ring.h"
#include <stdint.h>

#define SITE_LINE 0x80000000u       /* a line of the call's function instead of a site */
#define SITE_OF_FRAME 0xFFFFFFFFu   /* the line at which the program's own frame is now */
#define SITE_FOUND_LATE 0xFFFFFFFEu /* changed at some time before: written as seen, not as changed */
uint32_t line_of_frame(void);       /* SITE_LINE | line; 0: none */

static inline void emit(int kind, Where at, uint64_t obj, Value key, Value value)
{
    if (UNLIKELY(at.site >= SITE_FOUND_LATE)) {
        if (at.site == SITE_FOUND_LATE)
            kind |= EV_SEEN;
        at.site = at.site == SITE_FOUND_LATE ? 0 : line_of_frame();
    }
    Event e = {(uint8_t)kind, key.tag,
               value.tag,     (uint8_t)(((at.call >> 32) & 15) | (((obj >> 32) & 15) << 4)),
               at.site,       (uint32_t)at.call,
               (uint32_t)obj, key.bits,
               value.bits};
    ring_put(e);
}

#define NO_VALUE ((Value){TAG_UNSET, 0})
#define INT_VALUE(n) ((Value){TAG_INT, (uint64_t)(n)})
#define OBJ_VALUE(n) ((Value){TAG_OBJ, (uint64_t)(n)})
#define NAME_VALUE(n) ((Value){TAG_NAME, (uint64_t)(n)})

#endif

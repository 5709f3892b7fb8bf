/* Memory that is used again: what one extent needs, the next one needs too, and memory that goes back to the system in
 * between has to be cleared page by page. */
#ifndef WRONGCALL_TRACE_SCRATCH_H
#define WRONGCALL_TRACE_SCRATCH_H

#include <stddef.h>

/* What the memory is for. */
enum {
    FOR_WHOSE,
    FOR_STORES,
    FOR_OWNERS,
    FOR_BLOCKS,
    FOR_TABLE,
    FOR_NEW_CALLS,
    FOR_NEW_OBJECTS,
    FOR_RANKS,
    FOR_ROWS,
    FOR_SPARE_ROWS,
    FOR_BY_OWNER,
    FOR_BY_SLOT,
    FOR_SLOTS,
    FOR_SITE_FLAGS,
    FOR_CHECKPOINT,
    FOR_WRITTEN,
    FOR_PLANES,
    PURPOSES
};

typedef struct {
    void *memory[PURPOSES];
    size_t sizes[PURPOSES];
} Scratch;

/* Take the memory that the last user left, or none; NULL: out of memory. Only one thread uses it until it is put back. */
Scratch *take_scratch(void);
void put_back_scratch(Scratch *scratch);

/* At least so much memory for a purpose, with any contents; NULL: out of memory. What was there before is gone. */
void *scratch_for(Scratch *scratch, int purpose, size_t size);

/* The same, but what was there stays. */
void *scratch_grown(Scratch *scratch, int purpose, size_t size);

#endif

/* The recorder's memory, and its end. */
#ifndef WRONGCALL_ALLOCATE_H
#define WRONGCALL_ALLOCATE_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed memory. If there is none, recording ends; NULL is returned only for blocks larger than 64 kB. */
void *allocate(size_t count, size_t size);
void *reallocate(void *block, size_t count, size_t size); /* NULL: the block is as it was */
void release(void *block);
void hold_memory(void);           /* at the start of recording */
void return_memory(void);         /* the program has run out of memory */
void allocation_failed(void);     /* an object could not be made: recording ends */
void drop_error(void);            /* PyErr_Clear; if it is a MemoryError, recording ends */
void fail_allocation(long after); /* tests only */
bool allocation_fails(void);      /* the same for objects */

#endif

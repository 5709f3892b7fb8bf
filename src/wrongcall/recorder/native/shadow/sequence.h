/* What was last seen in a list or deque. */
#ifndef WRONGCALL_SEQUENCE_H
#define WRONGCALL_SEQUENCE_H

#include "shadow/nodes.h"
#include "shadow/slot.h"
#include <stddef.h>

void sequence_insert(SequenceNode *s, size_t at, Slot slot); /* takes the slot over */
void sequence_remove(SequenceNode *s, size_t at, size_t n);
void sequence_set(SequenceNode *s, size_t at, Slot slot);
void sequence_reserve(SequenceNode *s, size_t n); /* an empty one: exactly this room */
void sequence_clear(SequenceNode *s);
void sequence_free(SequenceNode *s);

#endif

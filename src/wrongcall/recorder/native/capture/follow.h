/* Objects whose state changes without any hook. */
#ifndef WRONGCALL_FOLLOW_H
#define WRONGCALL_FOLLOW_H

#include "base/compat.h"
#include "base/branches.h"
#include "recorder.h"
#include "shadow/nodes.h"
#include <stdint.h>

void follow_from(PyObject *o, Node *node,
                 Node *container); /* look at its state from now on; met in container or NULL */
void follow_end(void *base);       /* the object at base died */
void follow_look(void);
struct Handle;                          /* activation.h */
void follow_look_for(struct Handle *h); /* changes are told as those of h; NULL: not known whose */

/* At the start of every hook: records whose state changed since the last one. */
static inline void look_at_followed(void)
{
    if (UNLIKELY(recorder.following.count != 0))
        follow_look();
}

#endif

/* Callees that have never changed anything but their arguments, and how thoroughly their calls are checked. */
#ifndef WRONGCALL_TRUST_H
#define WRONGCALL_TRUST_H

#include "base/compat.h"
#include "emit/event.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct Trust Trust;

/* One look at what a foreign call may have changed. */
typedef struct {
    Where at;          /* of changes to what was given, and nearby */
    Where beyond;      /* of changes further away */
    bool nearby_only;  /* leave out what is further away */
    bool left_out;     /* something was */
    bool found_change; /* to something that was not given, but is within reach */
    uint32_t visits;
    Trust *trust; /* of the callee; NULL: it is never trusted */
} Look;

Look look_begin(PyObject *callee, Where at);
void look_end(Look *look);

#endif

/* What foreign code may have reached through what it was given. */
#ifndef WRONGCALL_REACH_H
#define WRONGCALL_REACH_H

#include "base/compat.h"
#include "compare/trust.h"
#include "emit/event.h"

void look_deep(PyObject *o, Look *look);
void resync_deep(PyObject *o, Where at); /* this object, and what foreign code may reach through it */

#endif

/* Guarded calls without C frames, where they are nested deep. */
#ifndef WRONGCALL_TRAMPOLINE_H
#define WRONGCALL_TRAMPOLINE_H

#include "base/compat.h"
#include "capture/site.h"
#include "foreign/guard.h"

#ifndef GUARD_DEPTH
#define GUARD_DEPTH 16 /* guarded calls nested in C; those further in are made by trampolines */
#endif

int trampoline_setup(PyObject *module);
int trampoline_install(void);
/* What to call instead of the guard, whose reference it takes over; maybe the guard itself. */
PyObject *trampoline_for(Guard *g, Site *site);

#endif

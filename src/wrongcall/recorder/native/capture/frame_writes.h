/* frame.f_locals[name] = value */
#ifndef WRONGCALL_FRAME_WRITES_H
#define WRONGCALL_FRAME_WRITES_H

#include "base/compat.h"

int frame_writes_install(void); /* before hide_handle_install */
PyObject *late_sites(PyObject *module, PyObject *function);

#endif

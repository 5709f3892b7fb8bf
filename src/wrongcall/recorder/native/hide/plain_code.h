/* f.__code__ is the code that the function has without recording. */
#ifndef WRONGCALL_PLAIN_CODE_H
#define WRONGCALL_PLAIN_CODE_H

#include "base/compat.h"

int plain_code_install(void); /* for good: instrumented code may outlive the recording */
PyObject *plain_code_pair(PyObject *module, PyObject *args);

#endif

/* The variable that holds a call's handle does not show. */
#ifndef WRONGCALL_HIDE_HANDLE_H
#define WRONGCALL_HIDE_HANDLE_H

#include "base/compat.h"

int hide_handle_install(void);  /* for good: instrumented code may outlive the recording */
PyObject *visible_locals(void); /* of the running function; new reference or NULL with an error */

#endif

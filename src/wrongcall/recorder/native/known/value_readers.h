/* Readers of values that never change, by family: see values.c. */
#ifndef WRONGCALL_VALUE_READERS_H
#define WRONGCALL_VALUE_READERS_H

#include "base/compat.h"
#include "known/readers.h"

/* dates.c */
void read_date(PyObject *o, Parts *parts);
void read_datetime(PyObject *o, Parts *parts);
void read_time(PyObject *o, Parts *parts);
void read_timedelta(PyObject *o, Parts *parts);
void read_timezone(PyObject *o, Parts *parts);

/* decimal.c */
void read_decimal(PyObject *o, Parts *parts);

/* paths.c */
void read_path(PyObject *o, Parts *parts);

/* callables.c */
void read_builtin_function(PyObject *o, Parts *parts);
void read_method_wrapper(PyObject *o, Parts *parts);
void read_operator(PyObject *o, Parts *parts);
void read_token(PyObject *o, Parts *parts);

/* views.c */
void read_dict_view(PyObject *o, Parts *parts);
void read_mapping_proxy(PyObject *o, Parts *parts);
void read_memory_view(PyObject *o, Parts *parts);
void read_pattern(PyObject *o, Parts *parts);
void read_match(PyObject *o, Parts *parts);
void read_deque(PyObject *o, Parts *parts);
void read_array(PyObject *o, Parts *parts);

/* numpy.c */
void read_numpy_scalar(PyObject *o, Parts *parts);

#endif

/* Readers of values that never change, by family: see known_values.c. */
#ifndef WRONGCALL_KNOWN_VALUES_H
#define WRONGCALL_KNOWN_VALUES_H

#include "known.h"

/* known_dates.c */
void read_date(PyObject *o, Parts *parts);
void read_datetime(PyObject *o, Parts *parts);
void read_time(PyObject *o, Parts *parts);
void read_timedelta(PyObject *o, Parts *parts);
void read_timezone(PyObject *o, Parts *parts);

/* known_decimal.c */
void read_decimal(PyObject *o, Parts *parts);

/* known_paths.c */
void read_path(PyObject *o, Parts *parts);

/* known_callables.c */
void read_builtin_function(PyObject *o, Parts *parts);
void read_method_wrapper(PyObject *o, Parts *parts);
void read_operator(PyObject *o, Parts *parts);
void read_token(PyObject *o, Parts *parts);

/* known_views.c */
void read_dict_view(PyObject *o, Parts *parts);
void read_mapping_proxy(PyObject *o, Parts *parts);
void read_memory_view(PyObject *o, Parts *parts);
void read_pattern(PyObject *o, Parts *parts);
void read_match(PyObject *o, Parts *parts);
void read_deque(PyObject *o, Parts *parts);
void read_array(PyObject *o, Parts *parts);

/* known_numpy.c */
void read_numpy_scalar(PyObject *o, Parts *parts);

#endif

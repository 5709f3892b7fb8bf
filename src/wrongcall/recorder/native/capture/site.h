/* Sites: the places in the source where instrumented code calls a hook. */
#ifndef WRONGCALL_SITE_H
#define WRONGCALL_SITE_H

#include "base/compat.h"
#include "base/branches.h"
#include "capture/activation.h"
#include "emit/content.h"
#include "recorder.h"
#include <stdint.h>

struct Site;

/* What a statement of the program did, of which the handle's call is told: see tell.c. */
typedef void (*Tell)(Handle *h, struct Site *site,
                     PyObject *value); /* value: borrowed; NULL if there is none */

typedef struct {
    const char *name;
    Tell tell;
} TellMethod;

typedef struct Site {
    PyObject_HEAD
    uint32_t id;
    uint32_t count;       /* ids from `id` on that the hook uses */
    Tell tell;            /* NULL: this site's hook is called */
    PyObject *name;       /* owned, interned: attribute or callee; may be NULL */
    uint64_t name_id;     /* 0: not asked yet */
    PyObject *names;      /* owned: tuple of str, globals only */
    PyObject *trampoline; /* owned; may be NULL: see trampoline.c */
    /* what was found for the last type met here */
    PyTypeObject *type; /* borrowed, never followed */
    unsigned int version;
    uint32_t epoch;
    int verdict;
    Func *func; /* borrowed, only compared: the function that is called */
    int slot;
    Py_ssize_t hint;
} Site;

/* What begins a call without being called: see tell.c. */
typedef struct {
    PyObject_HEAD
    Func *func; /* owned */
} Entry;

extern PyTypeObject Site_Type, Entry_Type, Guard_Type, Receiver_Type, Target_Type, Delegate_Type;
extern PyMethodDef hook_methods[];
extern const TellMethod tell_methods[];
PyObject *hook_enter(PyObject *self, PyObject *const *args, Py_ssize_t n);
void call_returns(Handle *h, PyObject *value, uint32_t site);
void tell_attr_written(Handle *h, Site *site, PyObject *o);
PyObject *callee_filter(Handle *h, Site *site, PyObject *callee); /* new reference */
PyObject *hook_callee(PyObject *self, PyObject *const *args, Py_ssize_t n);
PyObject *hook_decorator(PyObject *self, PyObject *const *args, Py_ssize_t n);
PyObject *hook_receiver(PyObject *self, PyObject *const *args, Py_ssize_t n);
PyObject *hook_attr_written(PyObject *self, PyObject *const *args, Py_ssize_t n);
PyObject *hook_attr_store(PyObject *self, PyObject *const *args, Py_ssize_t n);
PyObject *hook_item_store(PyObject *self, PyObject *const *args, Py_ssize_t n);
PyObject *hook_first_item_store(PyObject *self, PyObject *const *args, Py_ssize_t n);
PyObject *hook_item_written(PyObject *self, PyObject *const *args, Py_ssize_t n);
PyObject *hook_half_done(PyObject *self, PyObject *const *args, Py_ssize_t n);
PyObject *hook_target(PyObject *self, PyObject *const *args, Py_ssize_t n);
PyObject *hook_dict_of(PyObject *self, PyObject *const *args, Py_ssize_t n);
PyObject *hook_delegate(PyObject *self, PyObject *const *args, Py_ssize_t n);

void modules_seen(void); /* in a process that runs already: what the program's modules hold */

static inline uint64_t site_name_id(Site *site)
{
    if (UNLIKELY(site->name_id == 0))
        site->name_id = name_id(site->name);
    return site->name_id;
}

#endif

/* What helps to find the changes of large dicts and sets without comparing all of their entries. */
#ifndef WRONGCALL_WATCHES_H
#define WRONGCALL_WATCHES_H

#include "base/compat.h"
#include "emit/event.h"
#include "shadow/nodes.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A change of a watched dict that is about to happen. */
typedef struct {
    Value key;                     /* encoded */
    PyObject *key_object, *object; /* borrowed: alive if this is the last change of that key */
    uint8_t event;                 /* PyDict_WatchEvent */
} Change;

typedef struct {
    union {
        Change *changes; /* owned; of a dict: the shadow does not have those from `first` to `count` yet */
        PyObject **keys; /* owned; of a set: what lay in each place of its table. Never followed */
    };
    size_t first, count, room; /* of a set: room is the number of places */
    bool compare_all;          /* of a dict: there were changes that are not in the list */
    bool applying;             /* of a dict: the shadow is being brought up to date */
} Watch;

#define WATCH_FROM 64 /* entries: less are compared one by one */

Watch *watch_of(TableNode *t);  /* NULL: none */
Watch *watch_new(TableNode *t); /* NULL: there are too many, or no memory */
void watch_end(TableNode *t);
void watches_drop(void); /* in a forked child */

/* Dicts: from 3.12 on, the interpreter tells each change before it is made. */
void dict_watch(PyObject *dict, TableNode *t);       /* a dict whose shadow is up to date */
bool dict_watch_knows(PyObject *dict, TableNode *t); /* whether the list has all its changes */
void dict_watch_noted(TableNode *t, Value key);      /* the shadow has a change of this key now */
void dict_watch_broken(TableNode *t);                /* it has been changed otherwise */
void dict_watch_setup(void);

#endif

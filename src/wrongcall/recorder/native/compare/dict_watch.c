/* Dicts that foreign code changes again and again: the interpreter tells each change (PyDict_Watch, from 3.12 on).

   The changes are put into a list, and the shadow is brought up to date with them when the dict is next compared. So
   that costs as much as was changed, however large the dict is. Hooks and wrapped methods, which bring the
   shadow up to date themselves, take their changes out of the list again: in the order in which they were made, or
   else the whole dict is compared.

   A key is encoded when it is told: it may be gone when the dict is compared. An entry may be changed through an equal
   key of another identity (a new weak reference to the same object): then the key that the dict has is looked for by
   its hash. */
#include "base/compat.h"
#include "compare/watches.h"
#include "base/allocate.h"
#include "base/instance.h"
#include "emit/event.h"
#include "emit/events.h"
#include "recorder.h"
#include "shadow/encode.h"
#include "shadow/first_sight.h"
#include "shadow/identity.h"
#include "shadow/nodes.h"
#include "shadow/slot.h"
#include "shadow/table.h"

#define FEW_CHANGES 64

#if PY_VERSION_HEX >= 0x030C0000

static int watcher = -1;

static bool is_known_key(TableNode *t, Value key)
{
    if (table_find(t, key) != NULL)
        return true;
    Watch *w = watch_of(t);
    for (size_t i = w->count; i > w->first; i--) {
        if (table_is_same(w->changes[i - 1].key, key))
            return w->changes[i - 1].event != PyDict_EVENT_DELETED;
    }
    return false;
}

/* The key of an entry that is changed, as the dict has it: the one that is told is equal to it. False: not known. */
static bool encode_own(PyObject *dict, TableNode *t, PyObject *key, Value *encoded)
{
    if (is_atom(key) || PyTuple_CheckExact(key)) {
        *encoded = encode_held_key(key);
        return is_atom(key) || is_known_key(t, *encoded);
    }
    Node *node = node_find(key);
    if (node != NULL) {
        *encoded = OBJ_VALUE(node->oid);
        if (is_known_key(t, *encoded))
            return true;
    }
    if (!PyWeakref_CheckRefExact(key))
        return false;
    PyObject *own = dict_key_by_hash(dict, ((PyWeakReference *)key)->hash);
    node = own == NULL ? NULL : node_find(own);
    if (node == NULL)
        return false;
    *encoded = OBJ_VALUE(node->oid);
    return is_known_key(t, *encoded);
}

static void add_change(Watch *w, TableNode *t, Change change)
{
    if (w->first == w->count)
        w->first = w->count = 0;
    if (w->count >= FEW_CHANGES && w->count > t->count / 8) {
        w->compare_all = true;
        return;
    }
    if (w->count == w->room) {
        size_t room = w->room == 0 ? 8 : w->room * 2;
        Change *bigger = reallocate(w->changes, room, sizeof *bigger);
        if (bigger == NULL) {
            w->compare_all = true;
            return;
        }
        w->changes = bigger;
        w->room = room;
    }
    w->changes[w->count++] = change;
}

static void told(PyDict_WatchEvent event, PyObject *dict, TableNode *t, PyObject *key, PyObject *value)
{
    if ((t->head.flags & (NODE_ATTRS_OF | NODE_UNEXPLORED | NODE_UNWRITTEN)) || is_exploring() ||
        event == PyDict_EVENT_CLEARED || event == PyDict_EVENT_CLONED) {
        watch_of(t)->compare_all = true;
        return;
    }
    Value encoded = NO_VALUE;
    if (event == PyDict_EVENT_ADDED)
        encoded = encode_held_key(key);
    else if (!encode_own(dict, t, key, &encoded)) {
        watch_of(t)->compare_all = true;
        return;
    }
    add_change(watch_of(t), t, (Change){encoded, key, value, (uint8_t)event});
}

/* Called before the dict changes. */
static int watch(PyDict_WatchEvent event, PyObject *dict, PyObject *key, PyObject *value)
{
    if (!recorder.recording || event == PyDict_EVENT_DEALLOCATED)
        return 0;
    TableNode *t = (TableNode *)node_find(dict);
    if (t == NULL || t->head.layout != LAYOUT_DICT || t->watch == 0 || watch_of(t)->compare_all)
        return 0;
    PyObject *type, *error, *traceback;
    PyErr_Fetch(&type, &error, &traceback);
    told(event, dict, t, key, value);
    PyErr_Restore(type, error, traceback);
    return 0;
}

void dict_watch(PyObject *dict, TableNode *t)
{
    Watch *w = watch_of(t);
    if (w != NULL) {
        w->first = w->count = 0;
        w->compare_all = false;
        return;
    }
    if (watcher < 0 || t->count < WATCH_FROM || PyODict_Check(dict) || !PyDict_Check(dict) ||
        ((PyDictObject *)dict)->ma_values != NULL || t->looks++ == 0)
        return;
    if (PyDict_Watch(watcher, dict) < 0)
        drop_error();
    else
        watch_new(t);
}

/* The values of a dict that an instance shares are changed without being told. */
bool dict_watch_knows(PyObject *dict, TableNode *t)
{
    Watch *w = watch_of(t);
    return w != NULL && !w->compare_all && ((PyDictObject *)dict)->ma_values == NULL;
}

void dict_watch_noted(TableNode *t, Value key)
{
    Watch *w = watch_of(t);
    if (w == NULL || w->applying || w->first == w->count)
        return;
    if (t->head.layout == LAYOUT_DICT && table_is_same(w->changes[w->first].key, key))
        w->first++;
    else
        w->compare_all = true;
}

void dict_watch_broken(TableNode *t)
{
    if (t->watch != 0)
        watch_of(t)->compare_all = true;
}

void dict_watch_setup(void)
{
    watcher = PyDict_AddWatcher(watch);
    if (watcher < 0)
        drop_error(); /* others have them all: dicts are compared entry by entry */
}

#else

void dict_watch(PyObject *dict, TableNode *t)
{
}

bool dict_watch_knows(PyObject *dict, TableNode *t)
{
    return false;
}

void dict_watch_noted(TableNode *t, Value key)
{
}

void dict_watch_broken(TableNode *t)
{
}

void dict_watch_setup(void)
{
}

#endif

/* A dict or set was in foreign hands: what is different now becomes events.

   Most of them are as they were. So entries are compared by their addresses first, in the order of the dict, and keys are
   encoded only from the first difference on. Large ones that are compared again and again are watched (watches.h): of a dict,
   the changes are known from 3.12 on, and before that whether there were any; of a set, what lay in each place of
   its table. */
#include "base/compat.h"
#include "base/allocate.h"
#include "compare/resync.h"
#include "compare/still.h"
#include "compare/watches.h"
#include "emit/event.h"
#include "emit/events.h"
#include "recorder.h"
#include "shadow/deaths.h"
#include "shadow/dict_order.h"
#include "shadow/encode.h"
#include "shadow/entries.h"
#include "shadow/nodes.h"
#include "shadow/slot.h"
#include "shadow/table.h"
#include <string.h>

/* -- entry by entry ----------------------------------------------------------------------------------------- */

typedef struct {
    TableNode *t;
    Where at;
    size_t last; /* how far in the shadow the entries seen so far reach */
    Deaths deaths;
} Scan;

static void drop_entry(TableNode *t, TableEntry *e, Where at)
{
    entry_drop(t, e, t->head.layout == LAYOUT_DICT ? EV_ENTRY_DEL : EV_MEMBER_DEL, at);
}

/* Whether an equal key took the place of an entry's key: 1 for 1.0, or another object of the program's in a set. */
static bool is_replaced(TableEntry *e, PyObject *key, Value encoded, bool ordered)
{
    if (is_atom(key))
        return e->tag != encoded.tag || e->bits != encoded.bits;
    return !ordered && SLOT_PTR(e->key) != key;
}

/* One entry as it is now: same place and value, another value, or new. */
static void scan_entry(Scan *scan, PyObject *key, PyObject *value)
{
    TableNode *t = scan->t;
    bool ordered = t->head.layout == LAYOUT_DICT;
    Value encoded = encode_held_key(key);
    TableEntry *e = table_find(t, encoded);
    if (e != NULL && ordered && (size_t)(e - t->entries) < scan->last) {
        drop_entry(t, e, scan->at); /* taken out and put in again at the end */
        e = NULL;
    }
    if (e != NULL && is_replaced(e, key, encoded, ordered)) {
        drop_entry(t, e, scan->at);
        e = NULL;
    }
    if (e == NULL || !still(e->value, value, scan->deaths, t->newest)) {
        entry_write(t, key, encoded, value, scan->at, ordered ? EV_ENTRY : EV_MEMBER);
        e = table_find(t, encoded);
    }
    if (e == NULL)
        return; /* there is no memory: recording has ended */
    e->seen = 1;
    if (ordered)
        scan->last = (size_t)(e - t->entries);
}

static size_t next_used(TableNode *t, size_t i)
{
    while (i < t->used && !t->entries[i].used)
        i++;
    return i;
}

static bool is_same_entry(Scan *scan, size_t i, PyObject *key, PyObject *value)
{
    TableNode *t = scan->t;
    return i < t->used && still(t->entries[i].key, key, scan->deaths, t->newest) &&
           still(t->entries[i].value, value, scan->deaths, t->newest);
}

static void unsee_from(TableNode *t, size_t i)
{
    for (; i < t->used; i++)
        t->entries[i].seen = 0;
}

/* Compares in the order of the dict. Returns from where on there may be entries that were not seen. */
static size_t scan_dict(PyObject *o, Scan *scan)
{
    TableNode *t = scan->t;
    PyObject *key, *value;
    DictWalk walk;
    size_t i = 0, differs = SIZE_MAX;
    dict_walk(&walk, o);
    while (dict_next(&walk, &key, &value)) {
        i = next_used(t, i);
        if (is_same_entry(scan, i, key, value)) {
            t->entries[i].seen = 1;
            scan->last = i++;
            continue;
        }
        if (differs == SIZE_MAX)
            unsee_from(t, differs = i);
        TableEntry *entries = t->entries;
        scan_entry(scan, key, value);
        if (t->entries != entries)
            differs = 0; /* deleted ones were left out: nothing is where it was */
        i = scan->last + 1;
    }
    dict_walked(&walk);
    if (differs == SIZE_MAX)
        unsee_from(t, differs = next_used(t, i));
    return differs;
}

static size_t scan_set(PyObject *o, Scan *scan)
{
    PySetObject *set = (PySetObject *)o;
    unsee_from(scan->t, 0);
    for (Py_ssize_t i = 0; i <= set->mask; i++) {
        if (set->table[i].key != NULL && set->table[i].hash != -1)
            scan_entry(scan, set->table[i].key, NULL);
    }
    return 0;
}

static void scan_all(PyObject *o, TableNode *t, Where at)
{
    Scan scan = {.t = t, .at = at};
    if (t->head.flags & NODE_HAS_REFS)
        scan.deaths = deaths_since(t->epoch, t->count);
    Watch *w = watch_of(t);
    if (w != NULL)
        w->applying = true;
    for (size_t i = compat_is_dict(o) ? scan_dict(o, &scan) : scan_set(o, &scan); i < t->used; i++) {
        if (t->entries[i].used && !t->entries[i].seen)
            drop_entry(t, &t->entries[i], at);
    }
    w = watch_of(t);
    if (w != NULL)
        w->applying = false;
}

/* -- changes of a dict that were told ----------------------------------------------------------------------------- */

#if PY_VERSION_HEX >= 0x030C0000

/* For each key, its last change, and the last by which it was added. */
typedef struct {
    uint32_t *last, *added; /* owned: 1 + the number of a change, by hash */
    size_t mask;
} Lasts;

static size_t place_of_key(Lasts *lasts, const Change *changes, Value key)
{
    size_t at = table_hash(key) & lasts->mask;
    while (lasts->last[at] != 0 && !table_is_same(changes[lasts->last[at] - 1].key, key))
        at = (at + 1) & lasts->mask;
    return at;
}

static bool find_lasts(Lasts *lasts, const Change *changes, size_t first, size_t count)
{
    for (lasts->mask = 15; lasts->mask < (count - first) * 2;)
        lasts->mask = lasts->mask * 2 + 1;
    lasts->last = allocate((lasts->mask + 1) * 2, sizeof *lasts->last);
    if (lasts->last == NULL)
        return false;
    lasts->added = lasts->last + lasts->mask + 1;
    for (size_t i = first; i < count; i++) {
        size_t at = place_of_key(lasts, changes, changes[i].key);
        lasts->last[at] = (uint32_t)i + 1;
        if (changes[i].event == PyDict_EVENT_ADDED)
            lasts->added[at] = (uint32_t)i + 1;
    }
    return true;
}

/* The value that an entry has now is that of its last change. Returns false if the shadow does not fit. */
static bool apply(TableNode *t, const Change *changes, size_t i, Lasts *lasts, Where at)
{
    const Change *change = &changes[i];
    size_t place = place_of_key(lasts, changes, change->key);
    const Change *last = &changes[lasts->last[place] - 1];
    TableEntry *e = table_find(t, change->key);
    switch (change->event) {
    case PyDict_EVENT_DELETED:
        if (e != NULL)
            drop_entry(t, e, at);
        return true;
    case PyDict_EVENT_ADDED:
        if (lasts->added[place] != i + 1 || last->event == PyDict_EVENT_DELETED)
            return true;
        if (e != NULL)
            return false;
        entry_write(t, change->key_object, change->key, last->object, at, EV_ENTRY);
        return true;
    default:
        if (last != change || lasts->added[place] != 0)
            return true;
        if (e == NULL)
            return false;
        if (!still(e->value, change->object, any_death, t->newest))
            entry_write(t, SLOT_PTR(e->key), (Value){e->tag, e->bits}, change->object, at, EV_ENTRY);
        return true;
    }
}

/* How many entries the dict has if all changes were made. One that is told may fail for want of memory: then
   what the list refers to may be gone. */
static size_t count_after(TableNode *t, const Change *changes, Lasts *lasts)
{
    size_t count = t->count;
    for (size_t place = 0; place <= lasts->mask; place++) {
        if (lasts->last[place] == 0)
            continue;
        const Change *last = &changes[lasts->last[place] - 1];
        count += last->event != PyDict_EVENT_DELETED;
        count -= table_find(t, last->key) != NULL;
    }
    return count;
}

/* False: the dict has to be compared. */
static bool apply_changes(PyObject *o, TableNode *t, Where at)
{
    Watch *w = watch_of(t);
    size_t first = w->first, count = w->count;
    Lasts lasts = {0};
    bool fits = true;
    if (first < count) {
        Change *changes = w->changes;
        fits = find_lasts(&lasts, changes, first, count) &&
               count_after(t, changes, &lasts) == (size_t)PyDict_GET_SIZE(o);
        w->applying = true;
        for (size_t i = first; fits && i < count && recorder.recording; i++)
            fits = apply(t, changes, i, &lasts, at);
        release(lasts.last);
        w = watch_of(t);
        w->applying = false;
    }
    return fits && (size_t)PyDict_GET_SIZE(o) == t->count;
}

#else

static bool apply_changes(PyObject *o, TableNode *t, Where at)
{
    return false;
}

#endif

/* -- sets, by the places of their table --------------------------------------------------------------------------- */

#define MOST_MOVED 64

static PyObject *key_in(PySetObject *set, size_t i)
{
    return set->table[i].hash == -1 ? NULL : set->table[i].key; /* -1: the mark of a removed one */
}

static void note_places(PySetObject *set, TableNode *t)
{
    size_t places = (size_t)set->mask + 1;
    if (t->count < WATCH_FROM || (t->watch == 0 && t->looks++ == 0)) {
        watch_end(t);
        return;
    }
    Watch *w = watch_of(t);
    if (w == NULL || w->room != places) {
        w = watch_new(t);
        PyObject **keys = w == NULL ? NULL : allocate(places, sizeof *keys);
        if (keys == NULL) {
            watch_end(t);
            return;
        }
        w->keys = keys;
        w->room = places;
    }
    for (size_t i = 0; i < places; i++)
        w->keys[i] = key_in(set, i);
}

static bool is_at_its_place(Watch *w, size_t i, PyObject *key, Deaths deaths)
{
    return w->keys[i] == key && (key == NULL || !deaths.some || is_atom(key) || !deaths_include(deaths, key));
}

/* Drops the members whose key has left its place, unless it is one of the keys that have come. */
static void drop_left(TableNode *t, PyObject **left, int left_count, PyObject **come, int come_count,
                      Where at)
{
    for (size_t i = 0; i < t->used; i++) {
        TableEntry *e = &t->entries[i];
        bool is_gone = false;
        for (int k = 0; e->used && k < left_count && !is_gone; k++)
            is_gone = SLOT_PTR(e->key) == left[k];
        for (int k = 0; is_gone && k < come_count; k++)
            is_gone = SLOT_PTR(e->key) != come[k];
        if (is_gone)
            drop_entry(t, e, at);
    }
}

/* Looks at the places whose key is another one now. False: the set has to be compared. */
static bool look_at_places(PySetObject *set, TableNode *t, Where at)
{
    Watch *w = watch_of(t);
    if (w == NULL || w->room != (size_t)set->mask + 1)
        return false;
    PyObject *left[MOST_MOVED], *come[MOST_MOVED];
    int left_count = 0, come_count = 0;
    Scan scan = {.t = t, .at = at};
    if (t->head.flags & NODE_HAS_REFS)
        scan.deaths = deaths_since(t->epoch, t->count);
    for (size_t i = 0; i < w->room; i++) {
        PyObject *key = key_in(set, i);
        if (is_at_its_place(w, i, key, scan.deaths))
            continue;
        if (left_count == MOST_MOVED || come_count == MOST_MOVED)
            return false;
        if (w->keys[i] != NULL && w->keys[i] != key)
            left[left_count++] = w->keys[i];
        if (key != NULL)
            come[come_count++] = key;
        w->keys[i] = key;
    }
    for (int i = 0; i < come_count; i++)
        scan_entry(&scan, come[i], NULL);
    /* What was in there and the new ones: if there are not more of them, nothing is gone. */
    if ((size_t)PySet_GET_SIZE(set) != t->count)
        drop_left(t, left, left_count, come, come_count, at);
    return (size_t)PySet_GET_SIZE(set) == t->count;
}

/* -- one of them ---------------------------------------------------------------------------------------------------- */

static bool resync_quickly(PyObject *o, TableNode *t, Where at)
{
    if (!compat_is_dict(o))
        return look_at_places((PySetObject *)o, t, at);
    if (dict_watch_knows(o, t))
        return apply_changes(o, t, at);
#if COMPAT_DICT_VERSIONS
    return compat_dict_version(o) != 0 && compat_dict_version(o) == t->version;
#else
    return false;
#endif
}

void resync_table(PyObject *o, TableNode *t, Where at)
{
    if (!resync_quickly(o, t, at)) {
        scan_all(o, t, at);
        if (!compat_is_dict(o))
            note_places((PySetObject *)o, t);
    }
    if (compat_is_dict(o))
        dict_watch(o, t);
#if COMPAT_DICT_VERSIONS
    if (compat_is_dict(o))
        t->version = compat_dict_version(o);
#endif
    t->epoch = recorder.identity.slot_deaths;
}

/* Objects whose state changes without any hook: iterators, buffers, files, locks, futures.

   `for` advances an iterator, `with` takes a lock, `print(file=buffer)` writes: no call of the program's says
   so. Therefore such objects are *followed*: at every hook, before it does anything, a number that stands
   for the state of each is compared with the last one, and what differs becomes events. So the
   state is right at each entry, exit and statement, and a change belongs to the call that was running since the hook
   before. (The line is not known: events have none.) Where several threads run, any of them may have
   made the change: it is written as seen, not as changed.

   Few are followed: those that the program handed over or stored last. The state of others is
   unknown, and so is that of one that makes room for another: its parts are taken back. */
#include "base/compat.h"
#include "capture/follow.h"
#include "base/branches.h"
#include "capture/activation.h"
#include "compare/resync.h"
#include "emit/emit.h"
#include "emit/event.h"
#include "emit/events.h"
#include "known/known.h"
#include "recorder.h"
#include "shadow/first_sight.h"
#include "shadow/identity.h"
#include "shadow/nodes.h"
#include "shadow/program.h"
#include "shadow/shape.h"
#include <string.h>

typedef struct Followed Followed;

static const Where found_late = {SITE_FOUND_LATE, 0};

static void take_out(uint32_t index)
{
    recorder.following.count--;
    recorder.following.version++;
    memmove(&recorder.following.objects[index], &recorder.following.objects[index + 1],
            (recorder.following.count - index) * sizeof *recorder.following.objects);
}

void follow_end(void *base)
{
    for (uint32_t i = 0; i < recorder.following.count; i++) {
        if (recorder.following.objects[i].base == base) {
            take_out(i);
            return;
        }
    }
}

static bool is_written(Node *node)
{
    return !(node->flags & (NODE_UNWRITTEN | NODE_UNEXPLORED));
}

/* Without the flag an object has no parts any more: they are taken back as what was only seen. */
static void unfollow_oldest(void)
{
    PyObject *o = recorder.following.objects[0].o;
    Node *node = node_find_base(recorder.following.objects[0].base);
    take_out(0);
    if (node == NULL)
        return;
    node->flags &= (uint8_t)~NODE_FOLLOWED;
    if (is_written(node) && Py_REFCNT(o) > 0)
        resync_node(o, node, found_late);
}

static void follow(PyObject *o, Node *node)
{
    if (node->flags & NODE_FOLLOWED)
        return;
    void *base = object_base(o);
    if (recorder.following.count == MOST_FOLLOWED)
        unfollow_oldest();
    node = node_find_base(base);
    node->flags |= NODE_FOLLOWED;
    recorder.following.objects[recorder.following.count++] =
        (Followed){o, base, Py_TYPE(o), node->shape, known_state_of(o, node->shape)};
    recorder.following.version++;
    if (is_written(node))
        resync_node(o, node, found_late);
}

/* The inside of library objects is full of locks and weak references that say nothing about the program. */
static bool is_worth_it(Node *container)
{
    if (container == NULL || container->shape == NULL)
        return true;
    if (known_is_of_c(container->shape) || is_program_type(container->shape->type))
        return true;
    if (is_namespace_layout(container->layout))
        return true;
    return !explore_is_inside() && container->layout != LAYOUT_INSTANCE;
}

void follow_from(PyObject *o, Node *node, Node *container)
{
    if (known_has_state(node->shape) && !(node->flags & NODE_FOLLOWED) && is_worth_it(container))
        follow(o, node);
}

/* -- looking ------------------------------------------------------------------------------------------------- */

/* Once there were several threads, it stays unknown which one did what. */
static bool several_threads(void)
{
    PyThreadState *ts = PyThreadState_Get();
    recorder.following.several_threads |= ts->next != NULL || ts->prev != NULL;
    return recorder.following.several_threads;
}

static void state_changed(PyObject *o, Where at)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    Node *node = explore_touch(o);
    if (node != NULL)
        resync_node(o, node, at);
    PyErr_Restore(type, value, traceback);
}

/* The first that changed from an index on; followed_count: none. */
static uint32_t next_changed(uint32_t i)
{
    for (; i < recorder.following.count; i++) {
        Followed *f = &recorder.following.objects[i];
        if (Py_REFCNT(f->o) <= 0) /* it is being torn down */
            continue;
        if (UNLIKELY(Py_TYPE(f->o) != f->type)) { /* o.__class__ = C */
            f->type = Py_TYPE(f->o);
            f->shape = shape_of(f->type);
        }
        if (!known_has_state(f->shape))
            continue;
        uint64_t state = known_state_of(f->o, f->shape);
        if (state != f->state) {
            f->state = state;
            break;
        }
    }
    return i;
}

static void write_changes(uint32_t i, Where at)
{
    recorder.following.looking = true;
    while (i < recorder.following.count && recorder.recording) {
        uint32_t version = recorder.following.version;
        state_changed(recorder.following.objects[i].o, at);
        i = next_changed(version == recorder.following.version ? i + 1 : 0);
    }
    recorder.following.looking = false;
}

void follow_look_for(Handle *h)
{
    bool several = several_threads();
    uint32_t i = recorder.following.looking ? recorder.following.count : next_changed(0);
    if (i < recorder.following.count)
        write_changes(i, several || h == NULL ? found_late : (Where){0, h->call});
}

void follow_look(void)
{
    follow_look_for(current_settle()); /* first, as calls that are over end there */
}

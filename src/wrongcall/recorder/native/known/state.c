/* What waits and what is waited for: locks, queues, futures; weak references; sockets and the like.

   Structs are private to CPython, checked for 3.11 to 3.15; the rest is asked of getters of C that only read. */
#include "base/compat.h"
#include "base/allocate.h"
#include "base/instance.h"
#include "capture/activation.h"
#include "known/readers.h"
#include "recorder.h"
#include "shadow/shape.h"
#include "shadow/slot.h"

/* -- locks --------------------------------------------------------------------------------------------------------- */

#if PY_VERSION_HEX >= 0x030E0000
typedef struct {
    PyObject_HEAD
    PyMutex lock;
} Lock;

typedef struct {
    PyObject_HEAD
    PyMutex lock;
    unsigned long long owner; /* 0: nobody */
    size_t further;           /* how often its owner took it again */
} RLock;

static bool is_locked(Lock *lock)
{
    return PyMutex_IsLocked(&lock->lock);
}

static unsigned long count_of(RLock *lock)
{
    return lock->owner == 0 ? 0 : (unsigned long)lock->further + 1;
}
#else
typedef struct {
    PyObject_HEAD
    void *lock;
    PyObject *weak_references;
    char is_locked;
} Lock;

typedef struct {
    PyObject_HEAD
    void *lock;
    unsigned long owner;
    unsigned long count;
    PyObject *weak_references;
} RLock;

static bool is_locked(Lock *lock)
{
    return lock->is_locked;
}

static unsigned long count_of(RLock *lock)
{
    return lock->count;
}
#endif

static uint64_t state_of_lock(PyObject *o)
{
    return (uint64_t)is_locked((Lock *)o);
}

static void read_lock(PyObject *o, Parts *parts)
{
    part_see(parts, "locked", is_locked((Lock *)o) ? Py_True : Py_False);
}

static uint64_t state_of_rlock(PyObject *o)
{
    return state_mix(((RLock *)o)->owner, count_of((RLock *)o));
}

static void read_rlock(PyObject *o, Parts *parts)
{
    RLock *lock = (RLock *)o;
    unsigned long count = count_of(lock);
    part_take(parts, "count", PyLong_FromUnsignedLong(count));
    uint64_t thread = count > 0 ? thread_of_ident(lock->owner) : 0;
    if (thread != 0)
        part_take(parts, "thread", PyLong_FromUnsignedLongLong(thread));
}

/* -- futures and queues ------------------------------------------------------------------------------------------ */

/* The names of the states are constants of the module: their address will do. */
static uint64_t state_of_future(PyObject *o)
{
    PyObject *state = known_getter(o, "_state");
    Py_XDECREF(state);
    return STATE_OF(state);
}

static void read_future(PyObject *o, Parts *parts)
{
    PyObject *state = known_getter(o, "_state");
    if (state == NULL || !PyUnicode_CheckExact(state)) {
        Py_XDECREF(state);
        return; /* not initialised */
    }
    if (PyUnicode_CompareWithASCIIString(state, "FINISHED") == 0) {
        PyObject *exception = known_getter(o, "_exception");
        bool failed = exception != NULL && exception != Py_None;
        PyObject *result = failed ? NULL : known_getter(o, "_result");
        part_see(parts, failed ? "exception" : "result", failed ? exception : result);
        Py_XDECREF(exception);
        Py_XDECREF(result);
    }
    part_take(parts, "state", state);
}

static void part_held(Parts *parts, PyObject *o, const char *name, const char *getter)
{
    PyObject *value = known_getter(o, getter);
    part_see(parts, name, value); /* the object holds it, too */
    Py_XDECREF(value);
}

static void read_task(PyObject *o, Parts *parts)
{
    PyObject *name = known_method(o, "get_name");
    if (name != NULL && PyUnicode_CheckExact(name))
        part_see(parts, "name", name);
    Py_XDECREF(name);
    part_held(parts, o, "coroutine", "_coro");
    read_future(o, parts);
}

static uint64_t state_of_queue(PyObject *o)
{
    PyObject *size = known_method(o, "qsize");
    uint64_t state = size == NULL ? 0 : (uint64_t)PyLong_AsSsize_t(size) + 1;
    Py_XDECREF(size);
    drop_error();
    return state;
}

static void read_queue(PyObject *o, Parts *parts)
{
    part_take(parts, "size", known_method(o, "qsize"));
}

/* -- weak references ----------------------------------------------------------------------------------------------- */

static PyObject *referent(PyObject *o) /* borrowed; NULL: it is gone, or about to go */
{
    PyObject *to = ((PyWeakReference *)o)->wr_object;
    return to == NULL || to == Py_None || Py_REFCNT(to) <= 0 ? NULL : to;
}

static uint64_t state_of_reference(PyObject *o)
{
    return STATE_OF(referent(o));
}

static void read_reference(PyObject *o, Parts *parts)
{
    PyObject *to = referent(o);
    part_see(parts, "alive", to == NULL ? Py_False : Py_True);
    part_see(parts, "to", to);
}

/* -- others -------------------------------------------------------------------------------------------------------- */

typedef struct {
    PyObject_HEAD
    int fd, family, type, protocol; /* what follows differs */
} Socket;

#if PY_VERSION_HEX >= 0x030C0000
#define SOCKET_SIZE 56
#else
#define SOCKET_SIZE 48
#endif

static uint64_t state_of_socket(PyObject *o)
{
    return (uint64_t)((Socket *)o)->fd;
}

static void read_socket(PyObject *o, Parts *parts)
{
    part_take(parts, "fd", PyLong_FromLong(((Socket *)o)->fd));
    part_take(parts, "family", PyLong_FromLong(((Socket *)o)->family));
    part_take(parts, "type", PyLong_FromLong(((Socket *)o)->type));
}

static uint64_t state_of_context(PyObject *o)
{
    lenfunc length = Py_TYPE(o)->tp_as_mapping == NULL ? NULL : Py_TYPE(o)->tp_as_mapping->mp_length;
    return length == NULL ? 0 : (uint64_t)length(o);
}

static void read_context(PyObject *o, Parts *parts)
{
    part_take(parts, "size", PyLong_FromUnsignedLongLong(state_of_context(o)));
}

static uint64_t state_of_rows(PyObject *o)
{
    PyObject *lines = known_getter(o, "line_num");
    uint64_t state = lines == NULL ? 0 : (uint64_t)PyLong_AsUnsignedLong(lines) + 1;
    Py_XDECREF(lines);
    drop_error();
    return state;
}

static void read_rows(PyObject *o, Parts *parts)
{
    part_take(parts, "line_num", known_getter(o, "line_num"));
}

static void read_hash(PyObject *o, Parts *parts)
{
    part_take(parts, "name", known_getter(o, "name"));
}

static void read_struct(PyObject *o, Parts *parts)
{
    part_take(parts, "format", known_getter(o, "format"));
}

#define HASH(name) {name, read_hash, false}
#define REFERENCE(name) {name, read_reference, true, sizeof(PyWeakReference), state_of_reference}

const KnownType known_state[] = {
#if COMPAT_LAYOUTS_KNOWN
    {"_thread.lock", read_lock, true, sizeof(Lock), state_of_lock},
    {"_thread.RLock", read_rlock, true, sizeof(RLock), state_of_rlock},
    {"_asyncio.Future", read_future, true, 0, state_of_future},
    {"_asyncio.Task", read_task, true, 0, state_of_future},
    {"_queue.SimpleQueue", read_queue, true, 0, state_of_queue},
    {"_socket.socket", read_socket, true, SOCKET_SIZE, state_of_socket},
    {"_contextvars.Context", read_context, true, 0, state_of_context},
    {"Context", read_context, true, 0, state_of_context},
    {"_csv.reader", read_rows, true, 0, state_of_rows},
#endif
    REFERENCE("weakref"),
    REFERENCE("weakref.ReferenceType"),
    REFERENCE("weakproxy"),
    REFERENCE("weakref.ProxyType"),
    REFERENCE("weakcallableproxy"),
    REFERENCE("weakref.CallableProxyType"),
    HASH("_hashlib.HASH"),
    HASH("_hashlib.HMAC"),
    HASH("_blake2.blake2b"),
    HASH("_blake2.blake2s"),
    HASH("_md5.md5"),
    HASH("_sha1.sha1"),
    HASH("_sha2.SHA224Type"),
    HASH("_sha2.SHA256Type"),
    HASH("_sha2.SHA384Type"),
    HASH("_sha2.SHA512Type"),
    HASH("_sha3.sha3_224"),
    HASH("_sha3.sha3_256"),
    HASH("_sha3.sha3_384"),
    HASH("_sha3.sha3_512"),
    {"_struct.Struct", read_struct, false},
    {NULL, NULL, false},
};

/* -- classes of Python ------------------------------------------------------------------------------------------------ */

/* The attribute that is the state. It is an attribute anyway, but as such it says what was last seen; the
   part `state` is there only while the object is followed. */
static PyObject *attribute_of(PyObject *o, PyObject *name) /* borrowed or NULL */
{
    Py_ssize_t hint = -1;
    return instance_get(o, name, &hint);
}

static void read_attribute(PyObject *o, Parts *parts, PyObject *name)
{
    PyObject *state = attribute_of(o, name);
    if (state != NULL && is_atom(state))
        part_see(parts, "state", state);
}

#define STATE_IS(name)                                                                                       \
    static uint64_t state_of_##name(PyObject *o)                                                             \
    {                                                                                                        \
        return STATE_OF(attribute_of(o, recorder.names.name));                                               \
    }                                                                                                        \
    static void read_##name(PyObject *o, Parts *parts)                                                       \
    {                                                                                                        \
        read_attribute(o, parts, recorder.names.name);                                                       \
    }

STATE_IS(flag)
STATE_IS(value)
STATE_IS(locked)
STATE_IS(count)
STATE_IS(state)
STATE_IS(returncode)

/* Queues keep their items in a list or deque, which tells its changes itself; but for those that are moved
   about by the functions of heapq. Of these the size is read. */
static Py_ssize_t heap_size(PyObject *o) /* -1: unknown */
{
    PyObject *heap = attribute_of(o, recorder.names.queue);
    if (heap == NULL)
        heap = attribute_of(o, recorder.names.own_queue);
    return heap != NULL && PyList_CheckExact(heap) ? PyList_GET_SIZE(heap) : -1;
}

static uint64_t state_of_heap(PyObject *o)
{
    return (uint64_t)heap_size(o);
}

static void read_heap(PyObject *o, Parts *parts)
{
    if (heap_size(o) >= 0)
        part_take(parts, "size", PyLong_FromSsize_t(heap_size(o)));
}

#define CLASS(name, attribute) {name, read_##attribute, true, 0, state_of_##attribute, true}

const KnownType known_classes[] = {
    CLASS("threading.Event", flag),
    CLASS("threading.Semaphore", value),
    CLASS("threading.BoundedSemaphore", value),
    CLASS("threading.Barrier", count),
    CLASS("asyncio.locks.Event", value),
    CLASS("asyncio.locks.Lock", locked),
    CLASS("asyncio.locks.Semaphore", value),
    CLASS("asyncio.locks.BoundedSemaphore", value),
    CLASS("asyncio.futures.Future", state),
    CLASS("concurrent.futures._base.Future", state),
    CLASS("subprocess.Popen", returncode),
    {"queue.PriorityQueue", read_heap, true, 0, state_of_heap, true},
    {"asyncio.queues.PriorityQueue", read_heap, true, 0, state_of_heap, true},
    {NULL, NULL, false},
};

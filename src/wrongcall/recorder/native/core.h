/* The native core's shared declarations.

   One process, one recorder: its state is static. Everything runs under the GIL, so there is one
   writer of the ring and no lock. Modules, from the bottom up:

       ring.c       the ring in shared memory: where events go
       allocate.c   the recorder's memory, and its end
       instance.c   attribute values of instances, read where they lie (CPython's private layouts)
       identity.c   address -> node: which object is this, and is it still the one we saw
       content.c    strings, bytes and big numbers: written once, then named by an id
       shape.c      types: how their objects are laid out, the names of their attributes
       shadow.c     what was last seen in a dict or set
       sequence.c   what was last seen in a list or deque
       ordered.c    the entries of dicts in their order
       known.c      types of C whose inside can be read; known_*.c: how
       follow.c     objects whose state changes without any hook: iterators, buffers, locks
       explore.c    first sight of an object: its contents become events
       attributes.c attributes of objects: their shadows, and writing one
       alias.c      dictionaries that are the attributes of an object
       buffers.h    bytearray, array.array, numpy arrays and what shares memory with them: five files
       resync.c     an object was in foreign hands: what is different now becomes events
       reach.c      and what foreign code may have reached through it
       trust.c      callees that need not be looked after so thoroughly
       lifetime.c   deaths: the allocator's free, and deallocators of types with free lists
       mutators.c   the methods of built-in containers, wrapped so that each change is an event
       output.c     what the program prints
       hidden.c     the variable that holds a call's handle does not show
       frame_writes.c frame.f_locals[name] = value
       plain_code.c f.__code__ is the code that the function has without recording
       descriptor.c descriptors of libraries, which change the object they are asked about
       activation.c calls: handles, which one is current in a thread
       slots.c      special methods of built-in types, called by name
       heap.c       what the functions of heapq moved
       guard.c      callees and receivers: who is foreign, and what it changed
       trampoline.c the same without C frames, where calls are nested deep
       watch.c      foreign code that is called without a call expression
       targets.c    stores to attributes and subscripts
       hooks.c      what the instrumented code calls at a site
       apart.c      instrumenting runs in a thread of its own
       loading.c    import: what loaders compile
       module.c     the Python face

   Ownership: PyObject pointers kept by the recorder are borrowed unless stated; a slot of a shadow
   owns its object if and only if the object is an exact atom (see SLOT_*). Nothing here calls code
   of the program. */
#ifndef WRONGCALL_CORE_H
#define WRONGCALL_CORE_H

#include "compat.h"
#include "events.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* -- ring.c --------------------------------------------------------------------------------------- */

typedef struct {
    uint8_t kind, ktag, vtag, hi;
    uint32_t site, call, obj;
    uint64_t key, value;
} Event;

typedef struct {
    Event *events;
    uint64_t mask;  /* event capacity - 1 */
    uint64_t head;  /* next event number */
    uint64_t limit; /* head may grow to here before the tail must be read again */
    volatile uint64_t *shared_head;
} Ring;

extern Ring ring;
extern bool recording; /* false: before the start, after the end, in a forked child */

int ring_open(int fd);
void ring_stop(int state);
enum { GAVE_UP_READER = 3, GAVE_UP_MEMORY = 4 }; /* as in trace/ring.py */
void ring_give_up(int why); /* recording ends, the program goes on */
void ring_tell(void);       /* at the end: what the user does not know yet */
void ring_wait(void);
void ring_bytes(const void *data, size_t size);

static inline void ring_put(Event e)
{
    if (UNLIKELY(ring.head == ring.limit))
        ring_wait();
    ring.events[ring.head & ring.mask] = e;
    ring.head++;
    __atomic_store_n(ring.shared_head, ring.head, __ATOMIC_RELEASE);
}

/* -- allocate.c -------------------------------------------------------------------------------------- */

/* Zeroed. Without memory recording ends, and NULL comes back for what is larger than 64 kB only. */
void *allocate(size_t count, size_t size);
void *reallocate(void *block, size_t count, size_t size); /* NULL: the block is as it was */
void release(void *block);
void allocation_failed(void); /* an object could not be made: recording ends */
void drop_error(void);        /* PyErr_Clear; if it is a MemoryError, recording ends */
void fail_allocation(long after); /* tests only */
bool allocation_fails(void);      /* the same for objects */

/* -- values ---------------------------------------------------------------------------------------- */

typedef struct {
    uint8_t tag;
    uint64_t bits;
} Value;

typedef struct {
    uint32_t site;
    uint64_t call;
} Where; /* on whose behalf an event happens */

#define SITE_LINE 0x80000000u     /* a line of the call's function instead of a site */
#define SITE_OF_FRAME 0xFFFFFFFFu /* the line at which the program's own frame is now */
#define SITE_FOUND_LATE 0xFFFFFFFEu /* changed at some time before: written as seen, not as changed */
uint32_t line_of_frame(void);     /* SITE_LINE | line; 0: none */

static inline void emit(int kind, Where at, uint64_t obj, Value key, Value value)
{
    if (UNLIKELY(at.site >= SITE_FOUND_LATE)) {
        if (at.site == SITE_FOUND_LATE)
            kind |= EV_SEEN;
        at.site = at.site == SITE_FOUND_LATE ? 0 : line_of_frame();
    }
    Event e = {(uint8_t)kind,
               key.tag,
               value.tag,
               (uint8_t)(((at.call >> 32) & 15) | (((obj >> 32) & 15) << 4)),
               at.site,
               (uint32_t)at.call,
               (uint32_t)obj,
               key.bits,
               value.bits};
    ring_put(e);
}

#define NO_VALUE ((Value){TAG_UNSET, 0})
#define INT_VALUE(n) ((Value){TAG_INT, (uint64_t)(n)})
#define OBJ_VALUE(n) ((Value){TAG_OBJ, (uint64_t)(n)})
#define NAME_VALUE(n) ((Value){TAG_NAME, (uint64_t)(n)})

/* -- names of functions -------------------------------------------------------------------------------- */

static inline bool one_of(const char *name, const char *const *names) /* ends with NULL */
{
    for (; *names != NULL; names++) {
        if (strcmp(name, *names) == 0)
            return true;
    }
    return false;
}

/* __iadd__ and its like: the special methods that change an object in place. */
static inline bool is_in_place(const char *name)
{
    static const char *const others[] = {"__iter__", "__int__", "__index__", "__invert__", "__init__",
                                         "__init_subclass__", "__instancecheck__", NULL};
    return strncmp(name, "__i", 3) == 0 && !one_of(name, others);
}

/* An atom: an exact, immutable object without references that runs no code when it dies. */
static inline bool is_atom(PyObject *v)
{
    PyTypeObject *t = Py_TYPE(v);
    return t == &PyLong_Type || t == &PyUnicode_Type || v == Py_None || t == &PyBool_Type ||
           t == &PyFloat_Type || t == &PyBytes_Type || t == &PyComplex_Type ||
           v == Py_Ellipsis || v == Py_NotImplemented;
}

/* A slot of a shadow: the pointer last seen there; bit 0: it is an atom and the slot owns it. */
typedef uintptr_t Slot;
#define SLOT_PTR(s) ((PyObject *)((s) & ~(uintptr_t)1))
#define SLOT_OWNED(s) ((s) & 1)

static inline void slot_release(Slot s)
{
    if (SLOT_OWNED(s))
        Py_DECREF(SLOT_PTR(s));
}

/* -- identity.c -------------------------------------------------------------------------------------- */

typedef struct Shape Shape;

enum {
    NODE_UNEXPLORED = 1, /* it has an id, its contents were not written yet */
    NODE_IN_SLOT = 2,    /* a shadow may hold its address */
    NODE_HAS_REFS = 4,   /* its shadow holds addresses that it does not own */
    NODE_STARTED = 8,    /* an activation object whose call has begun to run */
    NODE_ATTRS_OF = 16,  /* a dict that is the __dict__ of `owner` */
    NODE_UNWRITTEN = 32, /* known to the recorder, not to the trace yet */
    NODE_SHARES = 64,    /* an instance whose __dict__ is that of another one, too */
    NODE_QUEUED = 128,   /* about to be written out */
    NODE_FOLLOWED = NODE_STARTED, /* not of an activation: its state is looked at, at every hook (follow.c) */
};

/* What the recorder knows about one live object. */
typedef struct Node {
    uint64_t oid;
    Shape *shape; /* of its type */
    uint8_t layout, flags;
    uint16_t capacity; /* of slots */
    uint32_t units;    /* size of this allocation in 16 bytes */
    /* what follows depends on the layout: InstanceNode, SequenceNode, TableNode, ... */
} Node;

/* INSTANCE and everything else that has attributes only. */
typedef struct {
    Node head;
    Slot slots[]; /* by the shape's attribute numbers */
} InstanceNode;

/* LIST, DEQUE. (BYTEARRAY, ARRAY, NDARRAY: see buffers.h; `attrs` lies at the same place.) */
typedef struct {
    Node head;
    InstanceNode *attrs; /* of instances of subclasses; NULL if none */
    uint64_t newest;     /* the youngest object that a slot holds */
    Slot *items;         /* the live ones begin at items + start */
    uint32_t start, count, room;
    uint32_t epoch; /* slot_deaths when it was last compared */
} SequenceNode;

typedef struct {
    Slot key, value;
    uint64_t bits;
    uint32_t hash;
    uint8_t tag, used, seen;
} TableEntry;

/* DICT, SET, FROZENSET; CLASS and MODULE (keys: names). */
typedef struct {
    Node head;
    InstanceNode *attrs;
    union {
        uint64_t newest;
        uint64_t owner; /* NODE_ATTRS_OF: object id */
    };
    union {
        TableEntry *entries;
        void *owner_base; /* NODE_ATTRS_OF: where the owner was; it may have died since */
    };
    union {
        uint32_t *index;        /* NULL while there are few entries */
        PyObject *owner_object; /* borrowed: to be followed only after table_owner said it lives */
    };
    uint32_t used, count, room, index_size; /* used: entries including deleted ones */
    uint32_t epoch;
} TableNode;

/* TUPLE; also ACTIVATION and cells (fingerprint: call id) and LONG_STR (fingerprint: length).
   Nodes of objects that cannot have attributes end before `attrs`. */
typedef struct {
    Node head;
    uint64_t fingerprint;
    InstanceNode *attrs;
} PlainNode;
#define PLAIN_SIZE offsetof(PlainNode, attrs)

extern uint32_t slot_deaths; /* how many objects died whose address a shadow may still hold */

void *object_base(PyObject *o);
Node *node_find_base(void *base);
Node *node_new(void *base, Shape *shape, int layout, size_t size);
Node *node_resize(void *base, Node *node, size_t size);
void node_forget(void *base);                    /* the object at base died */
void node_moved(void *from, void *to);           /* realloc */
void *units_alloc(size_t size, uint32_t *units); /* nodes and slots of attributes; NULL never */
void units_free(void *block, uint32_t units);
size_t identity_count(void);

static inline Node *node_find(PyObject *o)
{
    return node_find_base(object_base(o));
}

/* -- content.c ------------------------------------------------------------------------------------------ */

void content_encode(PyObject *atom, Value *out); /* str, bytes, int, float, complex, None ... */
Value content_bytes(const char *data, size_t size); /* as those of a bytes object */
uint64_t name_id(PyObject *name);                /* an attribute's or variable's name */
void emit_text(int kind, Value key, Value value, const char *text, size_t size);
uint64_t content_hash(const void *data, size_t size);

/* Most values are small ints, short strings, None. */
static inline bool encode_quick(PyObject *v, Value *out)
{
    PyTypeObject *t = Py_TYPE(v);
    if (t == &PyLong_Type) {
        int64_t n;
        if (!compat_small_int(v, &n))
            return false;
        *out = INT_VALUE(n);
        return true;
    }
    if (t == &PyUnicode_Type) {
        if (!PyUnicode_IS_COMPACT_ASCII(v))
            return false;
        Py_ssize_t n = ((PyASCIIObject *)v)->length;
        if (n > 8)
            return false;
        uint64_t bits = 0;
        memcpy(&bits, PyUnicode_1BYTE_DATA(v), (size_t)n);
        *out = (Value){(uint8_t)(TAG_STR_INLINE + n), bits};
        return true;
    }
    if (v == Py_None) {
        *out = (Value){TAG_CONST, CONST_NONE};
        return true;
    }
    return false;
}

/* -- shape.c --------------------------------------------------------------------------------------------- */

typedef struct {
    PyObject *name; /* owned: interned */
    uint64_t id;
    Py_ssize_t offset; /* of a slot or C member; 0: in the instance's dictionary */
} ShapeAttr;

typedef struct KnownType KnownType;

struct Shape {
    PyTypeObject *type; /* borrowed: a shape dies with its type */
    uint64_t type_id;
    uint8_t layout;
    bool has_own_attrs; /* instances have a dictionary or slots */
    bool shadows;       /* some instance has an attribute with the name of a method */
    bool announced;
    uint8_t frame;  /* FRAME_*: a class of pandas */
    uint8_t origin; /* ORIGIN_*: whose class it is; 0: not asked yet */
    uint8_t tries;  /* how often its fields were looked for */
    uint64_t fields; /* a fingerprint of those that were told */
    const KnownType *known; /* how to read what C keeps in its objects; NULL: nobody knows */
    PyObject *item_names; /* owned: of a named tuple's items; NULL: they have none */
    uint16_t count, room, fixed; /* the first `fixed` attributes are slots and members */
    ShapeAttr *attrs;
};

#define SHAPE_MAX 4096 /* attributes per type that are watched for foreign changes */

extern uint32_t shape_epoch; /* changes when a cached verdict about a type may be wrong */
Shape *shape_of(PyTypeObject *type);
void shape_forget(PyTypeObject *type);
int shape_slot(Shape *shape, PyObject *name, bool add); /* -1: none */
void shape_announce(Shape *shape);
void fields_announce(Shape *shape); /* fields.c: what the class declares, once it is known */
PyObject *shape_member(PyObject *o, const ShapeAttr *attr); /* borrowed or NULL */
extern PyTypeObject *deque_type, *defaultdict_type, *ordered_dict_type;
int shape_setup(void);

/* -- tuple_fields.c --------------------------------------------------------------------------------------------- */

PyObject *tuple_fields(PyTypeObject *type); /* names of the items: new reference or NULL */
bool is_tuple_item(PyTypeObject *type, Py_ssize_t offset); /* a member that is an item by its name */

/* -- known.c ---------------------------------------------------------------------------------------------- */

typedef void (*VisitPart)(PyObject *name, PyObject *value, void *context);
const KnownType *known_type(PyTypeObject *type); /* NULL: its inside is not known */
bool known_instead_of_slots(PyTypeObject *type); /* its own slots are bookkeeping */
bool known_for_ever(Shape *shape); /* its objects hold nothing but parts that never change */
void known_visit(PyObject *o, Shape *shape, VisitPart visit, void *context); /* what C keeps in it */
bool known_is_of_c(Shape *shape); /* it has parts, and is no class of Python */
bool known_changes(Shape *shape);   /* its objects have parts that may change */
bool known_has_state(Shape *shape); /* even without any hook: see follow.c */
uint64_t known_state_of(PyObject *o, Shape *shape); /* another number whenever those parts are others */

/* -- follow.c --------------------------------------------------------------------------------------------- */

extern uint32_t followed_count;
void follow_from(PyObject *o, Node *node, Node *container); /* look at its state from now on; met in container or NULL */
void follow_end(void *base);                         /* the object at base died */
void follow_look(void);

/* At every hook, before it does anything: whose state changed since the last one? */
static inline void look_at_followed(void)
{
    if (UNLIKELY(followed_count != 0))
        follow_look();
}

/* -- known_frames.c --------------------------------------------------------------------------------------- */

enum { FRAME_NONE, FRAME_OWN, FRAME_DERIVED };
int frame_class(PyTypeObject *type); /* is it pandas' own, derived from one of these, or none? */
void frame_met(PyTypeObject *type); /* for the first time */
bool frame_shows(Shape *shape, PyObject *name); /* data, not bookkeeping: it is recorded */
bool is_frame(PyObject *o); /* part of a table of pandas: what it holds is the program's data (shape.c) */
void frame_visit(PyObject *o, visitproc visit, void *context); /* the objects that a frame's object leads to */

/* -- explore.c ------------------------------------------------------------------------------------------- */

/* The value to write for v; objects not seen before are written out first. */
void encode_slow(PyObject *v, Value *out);
static inline Value encode(PyObject *v)
{
    Value out;
    if (!encode_quick(v, &out))
        encode_slow(v, &out);
    return out;
}
Node *explore_touch(PyObject *o); /* the object's node, explored; NULL if it was never seen */
Node *object_node(PyObject *o);   /* its node; first sight if need be */
Value encode_key(PyObject *key, bool *safe); /* safe: equal keys have equal values */
Value encode_into(PyObject *v, Node *container, Slot *slot); /* and what its slot should hold */
/* An attribute of o is value now (NULL: deleted); kind: EV_ATTR, or EV_ATTR | EV_SEEN. */
void attr_write(PyObject *o, Node *node, PyObject *name, PyObject *value, Where at, int kind);
void entry_write(TableNode *t, PyObject *key, Value encoded, PyObject *value, Where at, int kind);
void namespace_write(TableNode *t, PyObject *name, PyObject *value, Where at, int kind); /* class, module */
Slot *attr_place(PyObject *o, Node *node, int index); /* the shadow of an attribute */
InstanceNode *attrs_of(Node *node);                   /* NULL: none */
PyObject *attr_now(PyObject *o, ShapeAttr *attr);     /* borrowed or NULL */
bool is_namespace_layout(int layout);
bool explore_is_inside(void); /* what is being written out was not handed over itself, but found in something */
bool is_instance_node(Node *node); /* its attributes are in the node itself */
void program_module(PyObject *globals); /* its names and classes are the program's */
PyObject *namespace_of(PyObject *o);    /* class or module: its dict, new reference or NULL */
bool is_class_data(PyObject *name, PyObject *value); /* no method, nothing special */
void class_attr_written(PyObject *o, TableNode *t, PyObject *name, Where at);
void deque_items(PyObject *o, void (*visit)(PyObject *item, void *context), void *context);
void explore_keep(PyObject *made); /* what was made while exploring: until it is written out */

/* -- ordered.c ----------------------------------------------------------------------------------------------- */

typedef struct {
    PyObject *key, *value; /* borrowed */
} DictPair;

typedef struct {
    PyObject *dict;
    DictPair *pairs; /* owned; NULL: the dict's own order */
    size_t count;
    Py_ssize_t at;
} DictWalk;

void ordered_setup(void);
void dict_walk(DictWalk *walk, PyObject *o); /* then dict_next until it is false, then dict_walked */
bool dict_next(DictWalk *walk, PyObject **key, PyObject **value);
void dict_walked(DictWalk *walk);

/* -- shadow.c (tables) and sequence.c ----------------------------------------------------------------------- */

TableEntry *table_find(TableNode *t, Value key);
/* Takes the slots over; NULL: there was no memory. */
TableEntry *table_add(TableNode *t, Slot key, Value encoded, Slot value);
void table_set(TableEntry *e, Slot value);
void table_delete(TableNode *t, TableEntry *e);
void table_reserve(TableNode *t, size_t n); /* an empty one: room for so many */
void table_clear(TableNode *t);
void table_free(TableNode *t);

void sequence_insert(SequenceNode *s, size_t at, Slot slot); /* takes the slot over */
void sequence_remove(SequenceNode *s, size_t at, size_t n);
void sequence_set(SequenceNode *s, size_t at, Slot slot);
void sequence_reserve(SequenceNode *s, size_t n); /* an empty one: exactly this room */
void sequence_clear(SequenceNode *s);
void sequence_free(SequenceNode *s);

/* -- alias.c ---------------------------------------------------------------------------------------------- */

TableNode *table_owner(TableNode *t, PyObject **owner); /* of a __dict__; NULL: it is a plain dict */
void note_alias(PyObject *owner, PyObject *dict);       /* dict may be the owner's __dict__ */
void note_own_dict(PyObject *o);                        /* its __dict__ may be another one now */
void share_write(PyObject *o, PyObject *name, PyObject *value, Where at, int kind);

/* -- descriptor.c ----------------------------------------------------------------------------------------- */

void descriptor_meet(PyTypeObject *type); /* the type of an attribute of a class */

/* -- resync.c ---------------------------------------------------------------------------------------------- */

/* An item of a list or deque became v; v was put in; n items were taken out. */
void sequence_changed(SequenceNode *s, size_t index, PyObject *v, Where at);
void sequence_arrived(SequenceNode *s, size_t index, PyObject *v, Where at);
void sequence_gone(SequenceNode *s, size_t index, size_t n, Where at);
void resync(PyObject *o, Where at);      /* this object only, if it was seen before */
void resync_node(PyObject *o, Node *node, Where at);
void resync_deep(PyObject *o, Where at); /* and what foreign code may reach through it */
void resync_grown(PyObject *o, Where at); /* after an augmented assignment */
void resync_list(PyObject *o, SequenceNode *s, Where at);
void resync_table(PyObject *o, TableNode *t, Where at);

/* -- hidden.c, lifetime.c, mutators.c, output.c ------------------------------------------------------------------------ */

int hidden_install(void); /* for good: instrumented code may outlive the recording */

/* -- frame_writes.c ------------------------------------------------------------------------------------ */

int frame_writes_install(void); /* before hidden_install */
PyObject *late_sites(PyObject *module, PyObject *function);

/* -- plain_code.c ------------------------------------------------------------------------------------------------ */

int plain_code_install(void); /* for good, too */
PyObject *plain_code_pair(PyObject *module, PyObject *args);
PyObject *visible_locals(void);    /* of the running function; new reference or NULL with an error */
int lifetime_install(void);
void lifetime_watch(PyTypeObject *type); /* one that keeps a free list: its deaths are told by its deallocator */
void lifetime_remove(void);
int mutators_install(void);
void mutators_remove(void);
/* processes.c */
int processes_install(void);
void processes_remove(void);

int output_install(void);
void output_remove(void);
bool output_direct(PyObject *self, const char *method, PyObject *const *args, Py_ssize_t n, Where at);
void written_subscript(PyObject *o, PyObject *key, PyObject *value, Py_ssize_t before, Where at);
/* Is this C function known to change none of its arguments? */
bool callee_is_pure(PyObject *callee);
bool array_is_wrapped(PyTypeObject *type); /* wraps array.array's methods; false: it is not that */
bool type_is_quiet(PyTypeObject *t); /* its methods report their changes, or make none */

/* -- slots.c ------------------------------------------------------------------------------------------------------ */

int slot_setup(void);
extern PyTypeObject *slot_bound_type; /* of bound special methods */
bool slot_method(PyObject *callee);     /* is it a special method of a built-in type? Then: */
bool slot_only_reads(PyObject *callee);
Py_ssize_t slot_before(PyObject *callee, PyObject *const *args, Py_ssize_t count);
void slot_after(PyObject *callee, PyObject *const *args, Py_ssize_t count, Py_ssize_t before, bool failed, Where at);
void slot_watch(void);

/* -- heap.c ------------------------------------------------------------------------------------------------------- */

bool heap_moved(PyObject *callee, PyObject *const *args, Py_ssize_t count, Where at); /* false: compare */

/* -- watch.c ------------------------------------------------------------------------------------------------------ */

void watch_setup(void);
bool called_by_program(void); /* is the running frame one of the program's? */
void watch_class(PyTypeObject *type);    /* what its operators, properties and so on do is looked at */
void watch_callable(PyObject *callable); /* something will call it, without a call expression */
bool watch_suspend(PyObject *callable);  /* it is looked at otherwise; true: watch_resume is due */
void watch_resume(PyObject *callable);

/* -- apart.c and loading.c: instrumenting ------------------------------------------------------------------------ */

int apart_setup(void);
PyObject *apart(PyObject *module, PyObject *const *args, Py_ssize_t n);
PyObject *quiet_compile(PyObject *module, PyObject *const *args, Py_ssize_t n);
PyObject *real_path(PyObject *module, PyObject *path);
PyObject *intercept(PyObject *module, PyObject *const *args, Py_ssize_t n);

/* -- activation.c ---------------------------------------------------------------------------------------------- */

/* One function of the program (one code object): the constant that marks instrumented code. */
typedef struct {
    PyObject_HEAD
    uint32_t id, entry_site, first_param;
    bool is_generator;  /* or coroutine, or async generator */
    bool is_namespace;  /* the body of a module or class: its handle is not a local */
    bool is_module;
    bool implicit;      /* may be called by the interpreter without a call expression */
    bool has_free;
    PyObject *free_names; /* owned: tuple of str */
    PyObject *lines;      /* owned: dict, line -> a site on it */
} Func;

enum {
    ACT_EXITED = 1,
    ACT_HAS_RESULT = 2,
    ACT_GENERATOR = 4,
    ACT_NAMESPACE = 8,
    ACT_NEEDS_CLOSURE = 16,
    ACT_ALIAS = 32, /* stands for another handle's call: a generator expression run elsewhere */
};

#define PENDING 7 /* of calls as arguments of calls, nested deeper, only the line is known */
#define MOST_PENDING UINT8_MAX

/* A call expression whose arguments are being evaluated, and the function it will enter. */
typedef struct {
    Func *func; /* borrowed, only compared; NULL: not known */
    Func *first; /* borrowed, only compared: the __new__ that runs before func, its __init__; mostly NULL */
    uint32_t site;
    uint8_t passing; /* how the arguments get to the parameters: PASSING_... */
} Pending;

/* A call that is running: what the hidden local variable holds. */
typedef struct Handle {
    PyObject_HEAD
    uint64_t call;
    Func *func;          /* owned */
    struct Handle *prev; /* owned: current before this one began or was resumed */
    PyObject *generator; /* borrowed: it owns the frame that owns this handle */
    PyObject *globals;   /* borrowed; bodies of modules only */
    Value result;        /* ACT_HAS_RESULT: what it is about to return */
    uint32_t site;       /* the last site that was reached in it */
    uint8_t flags;
    bool calls_out;   /* `site` calls code that is not instrumented and may call back */
    uint8_t awaiting; /* how many calls are pending: those beyond PENDING are only counted */
    Pending pending[PENDING];
} Handle;

extern PyTypeObject Func_Type, Handle_Type;
extern __thread Handle *current_handle; /* owned */
extern uint64_t last_call;

void follow_look_for(Handle *h); /* see follow.c; changes are told as those of h; NULL: not known whose */
uint64_t thread_of_ident(unsigned long ident); /* a thread's number in the trace; 0: not known */
Handle *current_settle(void); /* the call that is really running; borrowed, may be NULL */
void current_set_slow(Handle *h);
Handle *handle_of_func(Func *func);
Handle *activation_enter(Func *func);
void activation_exit(Handle *h, int kind, Value value, uint64_t key, uint32_t site);
void activation_created(Func *func, PyObject *object, Handle *parent, uint32_t site, uint8_t passing);
void activation_returned(PyObject *object, Handle *parent, uint32_t site); /* by foreign code */
void activation_seen(PyObject *object, PlainNode *node); /* for the first time */
void activation_pause(Handle *h);
void activation_on_behalf(Handle *h); /* code of h's call runs, though h is not the top */
void activation_expect(Func *func, uint64_t oid); /* a call site is about to call this closure */
void activation_child_after_fork(void);
PyObject *current_globals(void);
int raised_line(PyObject *exc);
Func *func_of_code(PyObject *code); /* borrowed or NULL */
static inline Func *func_of_function(PyObject *f)
{
    return func_of_code(((PyFunctionObject *)f)->func_code);
}

static inline void current_set(Handle *h)
{
    if (UNLIKELY(current_handle != h))
        current_set_slow(h);
}

static inline Handle *handle_of(PyObject *o)
{
    if (LIKELY(Py_IS_TYPE(o, &Handle_Type)))
        return (Handle *)o;
    return handle_of_func((Func *)o);
}

/* A call of instrumented code is about to be made here, after its arguments are evaluated. */
static inline void call_pending(Handle *h, Pending call)
{
    h->site = call.site;
    h->calls_out = false;
    if (LIKELY(h->awaiting < PENDING))
        h->pending[h->awaiting] = call;
    h->awaiting += h->awaiting < MOST_PENDING;
}

/* Foreign code is about to be called here. */
static inline void call_out(Handle *h, uint32_t site)
{
    h->site = site;
    h->calls_out = true;
}

/* Something else than a call was reached: no call is pending (one that was, failed). */
static inline void reach_site(Handle *h, uint32_t site)
{
    h->site = site;
    h->calls_out = false;
    h->awaiting = 0;
}

static inline Where where_of(Handle *h)
{
    return h == NULL ? (Where){0, 0} : (Where){h->site, h->call};
}

static inline Where where_now(void)
{
    return where_of(current_settle());
}

/* The same where no hook said that its line was reached: found from the frame. For rare events. */
Where where_exactly(void);

/* -- sites: hooks.c, guard.c, targets.c ---------------------------------------------------------------------------- */

typedef struct {
    PyObject_HEAD
    uint32_t id;
    uint32_t count;     /* ids from `id` on that the hook uses */
    PyObject *name;     /* owned, interned: attribute or callee; may be NULL */
    uint64_t name_id;   /* 0: not asked yet */
    PyObject *names;    /* owned: tuple of str, globals only */
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

extern PyTypeObject Site_Type, Guard_Type, Receiver_Type, Target_Type, Delegate_Type;
extern PyMethodDef hook_methods[];
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

static inline uint64_t site_name_id(Site *site)
{
    if (UNLIKELY(site->name_id == 0))
        site->name_id = name_id(site->name);
    return site->name_id;
}

#endif

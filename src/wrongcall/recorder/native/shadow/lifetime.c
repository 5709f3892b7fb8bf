/* Deaths of objects.

   Nearly every object is freed through the object allocator, so its `free` tells of most deaths.
   Objects of types that keep free lists often are not freed; their deallocators tell. (tp_free is never touched:
   `o.__class__ = C` compares it.) Such types are list, dict, tuple and context, from 3.14 on many more of the
   interpreter's own (compat.h), and some of Cython. */
#include "base/compat.h"
#include "shadow/lifetime.h"
#include "known/readers.h"
#include "shadow/identity.h"
#include <string.h>

static PyMemAllocatorEx original;
static bool installed;
static bool hooked; /* the allocator: others may have put theirs over it, then it stays */

static void hooked_free(void *context, void *block)
{
    if (block != NULL)
        node_forget(block);
    original.free(context, block);
}

static void *hooked_realloc(void *context, void *block, size_t size)
{
    void *moved = original.realloc(context, block, size);
    if (block != NULL && moved != NULL)
        node_moved(block, moved);
    return moved;
}

static destructor list_original, dict_original, tuple_original;

/* Tells of a death and goes on with the deallocator that was there. The trashcan, which keeps the deallocation of deep
   nesting flat, wants to know the deallocator that the type has now. */
static inline void tell_and_dealloc(PyObject *o, destructor now, destructor original_dealloc)
{
    PyObject_GC_UnTrack(o);
    COMPAT_TRASHCAN_BEGIN(o, now)
    node_forget((char *)o - compat_prefix(Py_TYPE(o)));
    original_dealloc(o);
    COMPAT_TRASHCAN_END
}

static void list_dealloc(PyObject *o)
{
    tell_and_dealloc(o, list_dealloc, list_original);
}

static void dict_dealloc(PyObject *o)
{
    tell_and_dealloc(o, dict_dealloc, dict_original);
}

static void tuple_dealloc(PyObject *o)
{
    tell_and_dealloc(o, tuple_dealloc, tuple_original);
}

static destructor replace_dealloc(PyTypeObject *type, destructor now)
{
    destructor was = type->tp_dealloc;
    type->tp_dealloc = now;
    return was;
}

/* Others are not nested deep, and untrack themselves once only. */
#define TELLS(name)                                                                                          \
    static destructor name##_original;                                                                       \
    static void name##_dealloc(PyObject *o)                                                                  \
    {                                                                                                        \
        node_forget((char *)o - compat_prefix(Py_TYPE(o)));                                                  \
        name##_original(o);                                                                                  \
    }

COMPAT_FREE_LISTS(TELLS)

/* -- other types with free lists -------------------------------------------------------------------------------- */

#define WATCHED 8
static struct {
    PyTypeObject *type; /* owned: never freed */
    destructor original;
} watched[WATCHED];
static int watched_count;

static int watched_index(PyTypeObject *type)
{
    int i = 0;
    while (i < watched_count && watched[i].type != type)
        i++;
    return i;
}

static void watched_dealloc(PyObject *o)
{
    PyTypeObject *type = Py_TYPE(o);
    while (watched_index(type) == watched_count)
        type = type->tp_base;
    node_forget(object_base(o));
    watched[watched_index(type)].original(o);
}

void lifetime_watch(PyTypeObject *type)
{
    if (!installed || watched_count == WATCHED || watched_index(type) < watched_count)
        return;
    watched[watched_count].original = type->tp_dealloc;
    watched[watched_count++].type = (PyTypeObject *)Py_NewRef(type);
    type->tp_dealloc = watched_dealloc;
}

void lifetime_meet(PyTypeObject *type)
{
    static const char *const names[] = {"async_generator_asend", "_asyncio.FutureIter"};
    for (size_t i = 0; i < Py_ARRAY_LENGTH(names); i++) {
        if (strcmp(type->tp_name, names[i]) == 0 && is_made_in_c(type))
            lifetime_watch(type);
    }
}

static void hook_allocator(void)
{
    PyMem_GetAllocator(PYMEM_DOMAIN_OBJ, &original);
    PyMemAllocatorEx own = original; /* same context: malloc and calloc stay as they are */
    own.free = hooked_free;
    own.realloc = hooked_realloc;
    PyMem_SetAllocator(PYMEM_DOMAIN_OBJ, &own);
    hooked = true;
}

static void unhook_allocator(void)
{
    PyMemAllocatorEx now;
    PyMem_GetAllocator(PYMEM_DOMAIN_OBJ, &now);
    if (now.free != hooked_free)
        return; /* tracemalloc, say: it goes on calling ours, which find nothing */
    PyMem_SetAllocator(PYMEM_DOMAIN_OBJ, &original);
    hooked = false;
}

int lifetime_install(void)
{
    if (!hooked)
        hook_allocator();
    list_original = replace_dealloc(&PyList_Type, list_dealloc);
    dict_original = replace_dealloc(&PyDict_Type, dict_dealloc);
    tuple_original = replace_dealloc(&PyTuple_Type, tuple_dealloc);
#define REPLACE(name) name##_original = replace_dealloc(&COMPAT_TYPE_##name, name##_dealloc);
    COMPAT_FREE_LISTS(REPLACE)
    for (int i = 0; i < watched_count; i++)
        watched[i].original = replace_dealloc(watched[i].type, watched_dealloc);
    installed = true;
    return 0;
}

void lifetime_remove(void)
{
    if (!installed)
        return;
    installed = false;
    unhook_allocator();
    PyList_Type.tp_dealloc = list_original;
    PyDict_Type.tp_dealloc = dict_original;
    PyTuple_Type.tp_dealloc = tuple_original;
#define PUT_BACK(name) COMPAT_TYPE_##name.tp_dealloc = name##_original;
    COMPAT_FREE_LISTS(PUT_BACK)
    for (int i = 0; i < watched_count; i++)
        watched[i].type->tp_dealloc = watched[i].original;
}

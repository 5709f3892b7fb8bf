/* Which callees can be trusted to change nothing but the very objects that they are given.

   A callee is trusted when it was looked after in full a number of times and nothing else had changed within its
   reach (see reach.c). From then on it is looked at in full again whenever the calls since the last full look
   have paid for it, at CREDIT objects each: so looking costs a bounded amount per call, whatever
   can be reached. One change, and the callee has to earn the trust again.

   The table is a cache of fixed size: a callee that is pushed out by another begins anew. Keys are addresses that are never
   followed; where one is used again by another function, its line and name make another key. */
#include "base/compat.h"
#include "compare/trust.h"
#include "emit/emit.h"
#include "emit/event.h"
#include "shadow/program.h"
#include <string.h>

#define TRUSTED 24 /* full looks without a change */
#define CREDIT 2   /* objects looked at per call, on average */
#define CALLEES 4096

struct Trust {
    uint64_t key;
    uint32_t clean; /* full looks since the last change */
    uint32_t calls; /* since the last full look */
    uint32_t cost;  /* objects visited by it */
};

static Trust callees[CALLEES];

static uint64_t key_of_function(PyObject *f)
{
    PyCodeObject *code = (PyCodeObject *)PyFunction_GET_CODE(f);
    uint64_t check = (uint64_t)(uintptr_t)code->co_name ^ (uint64_t)code->co_firstlineno << 40;
    return (uint64_t)(uintptr_t)code ^ check * 0x9E3779B97F4A7C15ull;
}

/* 0: what it does depends on what it is given to run. */
static uint64_t key_of(PyObject *callee)
{
    if (PyMethod_Check(callee))
        callee = PyMethod_GET_FUNCTION(callee);
    if (PyFunction_Check(callee))
        return key_of_function(callee);
    if (PyCFunction_Check(callee)) {
        PyMethodDef *def = ((PyCFunctionObject *)callee)->m_ml;
        return strcmp(def->ml_name, "exec") == 0 ? 0 : (uint64_t)(uintptr_t)def;
    }
    if (PyType_Check(callee))
        return (uint64_t)(uintptr_t)callee;
    return is_library_instance(callee) ? (uint64_t)(uintptr_t)Py_TYPE(callee) : 0;
}

static Trust *trust_of(PyObject *callee)
{
    uint64_t key = key_of(callee);
    if (key == 0)
        return NULL;
    Trust *trust = &callees[(key >> 4) * 0x9E3779B97F4A7C15ull >> 52];
    if (trust->key != key)
        *trust = (Trust){.key = key};
    return trust;
}

Look look_begin(PyObject *callee, Where at)
{
    Look look = {.at = at, .beyond = at, .trust = trust_of(callee)};
    Trust *trust = look.trust;
    if (trust == NULL)
        return look;
    look.nearby_only = trust->clean >= TRUSTED && (uint64_t)trust->calls * CREDIT < trust->cost;
    if (trust->calls > 0)
        look.beyond = (Where){SITE_FOUND_LATE, 0};
    return look;
}

void look_end(Look *look)
{
    Trust *trust = look->trust;
    if (trust == NULL)
        return;
    if (look->found_change)
        trust->clean = 0;
    if (look->left_out) {
        trust->calls++;
        return;
    }
    trust->calls = 0;
    trust->clean += !look->found_change;
    trust->cost = look->visits;
}

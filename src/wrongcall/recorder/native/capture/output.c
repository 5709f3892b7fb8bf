/* What the program prints, attributed to the call that printed it.

   TextIOWrapper.write is wrapped in place (sys.stdout stays the object it was); a write counts if it
   goes to the streams that were sys.stdout and sys.stderr when recording began. Bytes written by
   instrumented code straight to their buffers or to descriptors 1 and 2 count as well. */
#include "base/compat.h"
#include "capture/output.h"
#include "base/allocate.h"
#include "base/lookup.h"
#include "capture/activation.h"
#include "emit/emit.h"
#include "emit/event.h"
#include "emit/events.h"
#include "recorder.h"
#include "shadow/encode.h"
#include <string.h>

static PyMethodDef *write_def;
static PyCFunction write_original;
static PyObject *streams[2]; /* owned: stdout, stderr */
static PyObject *buffers[2]; /* owned */

static void printed(int stream, PyObject *text, Where at)
{
    emit(EV_PRINT, at, 0, INT_VALUE(stream + 1), encode(text));
}

/* Bytes, or anything that lends its bytes. */
static void printed_bytes(int stream, PyObject *data, Where at)
{
    PyObject *bytes = PyObject_CheckBuffer(data) ? PyBytes_FromObject(data) : NULL;
    if (bytes != NULL)
        printed(stream, bytes, at);
    drop_error();
    Py_XDECREF(bytes);
}

/* The number of the stream that a text wrapper writes to; -1: another file. */
static int stream_of(PyObject *wrapper)
{
    for (int i = 0; i < 2; i++) {
        if (wrapper == streams[i])
            return i;
    }
    if (strcmp(Py_TYPE(wrapper)->tp_name, "_io.TextIOWrapper") != 0)
        return -1;
    PyObject *buffer = PyObject_GetAttrString(wrapper, "buffer"); /* of an exact wrapper: C */
    drop_error();
    Py_XDECREF(buffer); /* the wrapper keeps it */
    return buffer == NULL ? -1 : buffer == buffers[0] ? 0 : buffer == buffers[1] ? 1 : -1;
}

static PyObject *watched_write(PyObject *self, PyObject *text)
{
    if (recorder.recording && PyUnicode_CheckExact(text) && PyUnicode_GET_LENGTH(text) > 0) {
        int stream = stream_of(self);
        if (stream >= 0)
            printed(stream, text, where_now());
    }
    return write_original(self, text);
}

bool output_direct(PyObject *self, const char *method, PyObject *const *args, Py_ssize_t n, Where at)
{
    if (strcmp(method, "write") != 0 || n < 1)
        return false;
    if (n == 2 && PyModule_Check(self) && PyLong_CheckExact(args[0])) {
        long descriptor = PyLong_AsLong(args[0]);
        drop_error();
        if (descriptor == 1 || descriptor == 2)
            printed_bytes((int)descriptor - 1, args[1], at);
        return true;
    }
    for (int i = 0; i < 2; i++) {
        if (self == buffers[i])
            printed_bytes(i, args[0], at);
    }
    return true;
}

void output_elsewhere(int stream, PyObject *text)
{
    if (recorder.recording && PyUnicode_CheckExact(text) && PyUnicode_GET_LENGTH(text) > 0)
        printed(stream, text, where_now());
}

int output_install(void)
{
    static const char *const names[] = {"stdout", "stderr"};
    PyTypeObject *type = NULL;
    for (int i = 0; i < 2; i++) {
        PyObject *stream = PySys_GetObject(names[i]);
        if (stream == NULL || strcmp(Py_TYPE(stream)->tp_name, "_io.TextIOWrapper") != 0)
            continue; /* closed at start: nothing can be printed there */
        type = Py_TYPE(stream);
        streams[i] = Py_NewRef(stream);
        buffers[i] = PyObject_GetAttrString(stream, "buffer");
        if (buffers[i] == NULL)
            return -1;
    }
    if (type == NULL)
        return 0;
    PyObject *dict = compat_type_dict(type);
    PyObject *found = dict == NULL ? NULL : dict_find(dict, "write");
    if (found != NULL && Py_IS_TYPE(found, &PyMethodDescr_Type) &&
        ((PyMethodDescrObject *)found)->d_method->ml_flags == METH_O) {
        write_def = ((PyMethodDescrObject *)found)->d_method;
        write_original = write_def->ml_meth;
        write_def->ml_meth = watched_write;
    }
    Py_XDECREF(dict);
    return 0;
}

void output_remove(void)
{
    if (write_def != NULL)
        write_def->ml_meth = write_original;
    write_def = NULL;
    for (int i = 0; i < 2; i++) { /* they flush what they hold when they die */
        Py_CLEAR(streams[i]);
        Py_CLEAR(buffers[i]);
    }
}

/* Entries of the cache of instrumented code: see recorder/code_cache.py.

   Files are read by system calls alone, so that no audit hook of the program hears of them; objects are read by the C
   functions of marshal, whatever the program has replaced in that module. */
#include "base/compat.h"
#include "load/code_entry.h"
#include <fcntl.h>
#include <marshal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_ENTRY_BYTES (256L << 20)

/* Nobody but the user may be able to write it: its contents will be executed. */
static bool is_private(const struct stat *file)
{
    return S_ISREG(file->st_mode) && file->st_uid == geteuid() && geteuid() == getuid() &&
           (file->st_mode & (S_IWGRP | S_IWOTH)) == 0 && file->st_size <= MAX_ENTRY_BYTES;
}

static bool read_all(int fd, char *to, Py_ssize_t size)
{
    while (size > 0) {
        ssize_t got = read(fd, to, (size_t)size);
        if (got <= 0)
            return false;
        to += got;
        size -= got;
    }
    return true;
}

/* private_file(path): what is in a file that belongs to the user alone; None if there is no such file. */
PyObject *private_file(PyObject *module, PyObject *path)
{
    PyObject *bytes = NULL, *content = NULL;
    struct stat file;
    if (!PyUnicode_FSConverter(path, &bytes))
        return NULL;
    int fd = open(PyBytes_AS_STRING(bytes), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    Py_DECREF(bytes);
    if (fd >= 0 && fstat(fd, &file) == 0 && is_private(&file)) {
        content = PyBytes_FromStringAndSize(NULL, file.st_size);
        if (content != NULL && !read_all(fd, PyBytes_AS_STRING(content), file.st_size))
            Py_CLEAR(content);
    }
    if (fd >= 0)
        close(fd);
    if (content == NULL && !PyErr_Occurred())
        Py_RETURN_NONE;
    return content;
}

PyObject *write_marshal(PyObject *module, PyObject *value)
{
    return PyMarshal_WriteObjectToString(value, Py_MARSHAL_VERSION);
}

PyObject *read_marshal(PyObject *module, PyObject *data)
{
    if (!PyBytes_Check(data)) {
        PyErr_SetString(PyExc_TypeError, "bytes expected");
        return NULL;
    }
    return PyMarshal_ReadObjectFromString(PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data));
}

/* The state of the recorder, as it is before recording begins. */
#include "base/compat.h"
#include "recorder.h"

Recorder recorder = {
    .ring = {recorder.transport.nowhere, 0, 0, UINT64_MAX, &recorder.transport.nowhere_head},
    .transport.process = 1,
    .memory.failing = -1,
    .shapes.epoch = 1,
    .calls.generation = 1,
};

int recorder_setup(void)
{
#define X(name, text)                                                                                        \
    if ((recorder.names.name = PyUnicode_InternFromString(text)) == NULL)                                    \
        return -1;
    RECORDER_NAMES(X)
#undef X
    return 0;
}

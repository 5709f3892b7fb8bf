/* Processes that the program starts. */
#ifndef WRONGCALL_PROCESSES_H
#define WRONGCALL_PROCESSES_H

int processes_install(void);
void processes_remove(void);

#endif

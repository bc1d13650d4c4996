// child: a command run as a child that is, to whoever started us, as good as ourselves: it
// gets the signals we are sent, we stop when it stops and end as it ends.
//
// One child at a time, one thread. child_start() blocks all signals of this process, for
// good: they wait in the kernel until child_wait() passes them on, so none is lost and none
// needs a handler. The child has the mask and the dispositions that we were started with.

#ifndef PMEM_CLI_CHILD_H
#define PMEM_CLI_CHILD_H

#include <sys/types.h>

// Starts the program, found by PATH, in our process group. Its pid; or -1 with errno,
// when it cannot be run.
pid_t child_start(char **argv);

// Waits until the child has ended, passing signals on. Its wait status.
int child_wait(pid_t child);

// Ends this process by the signal that ended the child. Otherwise the exit status that says
// the same.
int child_repeat_end(int status);

#endif

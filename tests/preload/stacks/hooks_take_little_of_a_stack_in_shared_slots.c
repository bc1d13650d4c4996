// long
// pmem: -DCONSTANTS -DPMEM_LOG_HOURS=0 -DPMEM_THREADS=2
// of glibc
// The same for threads without a slot of their own, whose stacks are taken another way: the
// first thread has the only one.
// link: -Wl,-z,now
// of small stacks

#include "hooks_take_little_of_a_small_stack.c"

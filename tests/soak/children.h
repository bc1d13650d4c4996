// children: the soak's thread that forks. Each child allocates, ends in one of many ways, and
// its record goes down a pipe to the judge, who compares it with the child's log.

#ifndef SOAK_CHILDREN_H
#define SOAK_CHILDREN_H

#include <pthread.h>

#include "books.h"

// Held while libraries come or go, and while a child is forked that will call exit(): glibc
// takes locks there that another thread of the parent may have held for ever.
extern pthread_mutex_t loader_quiet;

// Called once, before there are threads.
void children_start(int judge, uint64_t seed);

// Forks, waits, reports. For one thread.
void children_next(void);

// How many were forked, by this process and its children.
uint64_t children_forked(void);

// What a child does after exec; does not return.
void children_again(int judge, uint64_t seed);

#endif

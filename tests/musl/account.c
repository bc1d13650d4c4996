// account: preloaded before the library, it keeps an account of each block of a process, by address. At the
// process's end it writes that to $ACCOUNT.PID: `live=B/N alloc=B/N`, as a log's snapshot has it. A forked
// child goes on with its parent's.

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROOM = 1 << 22 }; // of blocks that there are at once

static struct block {
	uintptr_t at; // 0: never used; 1: was freed
	size_t bytes;
} *blocks;
static uint64_t live_bytes, live, alloc_bytes, allocs;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) \
	static __typeof__(&name) real; \
	if (!real) \
		real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static struct block *
find(uintptr_t at)
{
	if (!blocks)
		blocks = mmap(NULL, ROOM * sizeof(*blocks), PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	for (uint64_t i = at * UINT64_C(0x9e3779b97f4a7c15) >> 42;; i++) {
		struct block *block = &blocks[i % ROOM];
		if (block->at == at || block->at == 0)
			return block;
	}
}

static void *
take(void *given, size_t bytes)
{
	if (given) {
		pthread_mutex_lock(&lock);
		*find((uintptr_t)given) = (struct block){(uintptr_t)given, bytes};
		live_bytes += bytes, live++, alloc_bytes += bytes, allocs++;
		pthread_mutex_unlock(&lock);
	}
	return given;
}

// Returns the block's size, or -1 where it is not known.
static size_t
drop(void *given)
{
	size_t bytes = SIZE_MAX;

	pthread_mutex_lock(&lock);
	struct block *block = find((uintptr_t)given);
	if (given && block->at) {
		bytes = block->bytes;
		block->at = 1;
		live_bytes -= bytes, live--;
	}
	pthread_mutex_unlock(&lock);
	return bytes;
}

void *
malloc(size_t bytes)
{
	REAL(malloc);
	return take(real(bytes), bytes);
}

// By malloc(): musl's calloc() calls the first malloc() that there is, which is that of this file.
void *
calloc(size_t count, size_t size)
{
	REAL(malloc);
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	void *block = take(real(bytes), bytes);
	return block ? memset(block, 0, bytes) : NULL;
}

void *
realloc(void *given, size_t bytes)
{
	REAL(realloc);
	size_t had = given ? drop(given) : SIZE_MAX;
	void *now = real(given, bytes);
	if (!now && had != SIZE_MAX) { // it failed: the block is as it was
		take(given, had);
		alloc_bytes -= had, allocs--;
	}
	return take(now, bytes);
}

void
free(void *given)
{
	REAL(free);
	int kept = errno;
	drop(given);
	errno = kept;
	real(given);
}

void *
aligned_alloc(size_t alignment, size_t bytes)
{
	REAL(aligned_alloc);
	return take(real(alignment, bytes), bytes);
}

// By aligned_alloc(): musl's posix_memalign() calls the first aligned_alloc() that there is.
int
posix_memalign(void **given, size_t alignment, size_t bytes)
{
	int kept = errno;
	if (alignment < sizeof(void *))
		return EINVAL;
	void *block = aligned_alloc(alignment, bytes);
	int error = block ? 0 : errno;
	errno = kept;
	if (block)
		*given = block;
	return error;
}

static __attribute__((destructor)) void
end(void)
{
	char line[200], path[4096];
	const char *name = getenv("ACCOUNT");

	if (!name)
		return;
	snprintf(path, sizeof(path), "%s.%ld", name, (long)getpid());
	snprintf(line, sizeof(line), " live=%llu/%llu alloc=%llu/%llu \n", (unsigned long long)live_bytes,
		(unsigned long long)live, (unsigned long long)alloc_bytes, (unsigned long long)allocs);
	FILE *to = fopen(path, "w");
	if (to) {
		fputs(line, to);
		fclose(to);
	}
}

// account: preloaded before the library, it keeps an account of each block of a process, by address. At the
// process's end it writes that to $ACCOUNT.PID: `live=B/N alloc=B/N`, as a log's snapshot has it. A forked
// child goes on with its parent's.

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROOM = 1 << 22 }; // of blocks that there are at once

static struct block {
	uintptr_t at; // 0: none
	size_t bytes;
} *blocks;
static uint64_t live_bytes, live, alloc_bytes, allocs;
static char name[4000];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) \
	static __typeof__(&name) real; \
	if (!real) \
		real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static uint64_t
home_of(uintptr_t at)
{
	return at * UINT64_C(0x9e3779b97f4a7c15) >> 42;
}

// Returns the place of the block, or the one that it would have.
static struct block *
find(uintptr_t at)
{
	if (!blocks)
		blocks = mmap(NULL, ROOM * sizeof(*blocks), PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	uint64_t i = home_of(at);
	while (blocks[i].at && blocks[i].at != at)
		i = (i + 1) % ROOM;
	return &blocks[i];
}

// Those behind it that would no longer be found move up.
static void
forget(struct block *block)
{
	uint64_t gap = block - blocks;

	for (uint64_t i = (gap + 1) % ROOM; blocks[i].at; i = (i + 1) % ROOM)
		if ((i - home_of(blocks[i].at)) % ROOM >= (i - gap) % ROOM) {
			blocks[gap] = blocks[i];
			gap = i;
		}
	blocks[gap].at = 0;
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
		forget(block);
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

void *
reallocarray(void *given, size_t count, size_t size)
{
	size_t bytes;
	if (!__builtin_mul_overflow(count, size, &bytes))
		return realloc(given, bytes);
	errno = ENOMEM;
	return NULL;
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

// Before the program can change its environment.
static __attribute__((constructor)) void
begin(void)
{
	const char *given = getenv("ACCOUNT");
	if (given)
		strncpy(name, given, sizeof(name) - 1);
}

static __attribute__((destructor)) void
end(void)
{
	char line[200], path[4096];

	if (!*name)
		return;
	snprintf(path, sizeof(path), "%s.%ld", name, (long)getpid());
	int bytes = snprintf(line, sizeof(line), " live=%llu/%llu alloc=%llu/%llu \n", (unsigned long long)live_bytes,
		(unsigned long long)live, (unsigned long long)alloc_bytes, (unsigned long long)allocs);
	int to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (to < 0 || write(to, line, bytes) != bytes)
		perror(path);
	close(to);
}

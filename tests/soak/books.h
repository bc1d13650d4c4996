// books: the soak's own account of what it allocates, kept by call site, to compare the logs
// with. A block carries its site and size, so that whoever frees it books that.

#ifndef SOAK_BOOKS_H
#define SOAK_BOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
	PLUGINS = 4,
	BOOK_BYTES_MIN = 24, // what a block says about itself
	BOOK_BYTES_MAX = 3000,
};

// A site is a function that calls the malloc family, named in site_names[], or a plugin.
enum site {
	SITE_MALLOC,
	SITE_CALLOC,
	SITE_REALLOC,
	SITE_MEMALIGN,
	SITE_DEEP,
	SITE_HANDLER,
	SITE_PLUGIN,
	SITES_SHARED = SITE_PLUGIN + PLUGINS, // those above belong to all threads
	SITE_KEPT = SITES_SHARED, // those below to the thread that forks, and its children
	SITE_CHILD_MALLOC,
	SITE_CHILD_REALLOC,
	SITES,
	SITES_OWN = SITES - SITES_SHARED,
};

extern const char *const site_names[SITES];

struct book {
	uint64_t alloc, free; // bytes
	uint64_t allocs, frees;
};

// How a child ended; the checks follow from it.
enum ending {
	END_EXIT,
	END_DAEMON,  // closed all descriptors, then as END_EXIT
	END_THREADS, // allocated in threads of its own, then as END_EXIT
	END_FORK,    // had a child in turn, then as END_EXIT
	END_UNDERSCORE,
	END_ABORT,
	END_KILLED,
	END_EXEC,
	END_AGAIN, // what the program did after END_EXEC, with the same process id
	END_SPAWN, // another program, with posix_spawn()
	ENDINGS,
};

// A child's account, in memory that its parent shares; then what its parent says of it.
struct record {
	pid_t pid, parent;
	enum ending ending;
	int status;
	struct book before[SITES_OWN]; // at the fork
	struct book own[SITES_OWN];
};

// What the server wrote at its end.
struct final {
	struct book books[SITES];
	struct book beneath; // what reached the allocator beneath, if it counts
	bool counted_beneath;
	uint64_t threads, forks, dlopens, signals, jumps, places;
	uint64_t corrupted; // blocks that did not say what was written into them
	int descriptors_before, descriptors_after;
	uint64_t resident_before, resident_after; // bytes of the library's image
};

// Where the own sites are booked: a child's are in its record.
extern struct book *books_own;
extern uint64_t books_corrupted;

void books_copy(struct book into[SITES]);
uint64_t books_churn(const struct book own[SITES_OWN]);

// Books a block that the site has just allocated, and marks it. NULL stays NULL.
void *book_alloc(enum site site, void *block, size_t bytes);

// Books and frees.
void book_free(void *block);

// realloc(), booked: what it was is freed, what it becomes is of the given site. The caller
// is the site.
#define book_realloc(site, block, bytes) ({ \
	void *was_ = (block); \
	struct book_mark mark_ = book_unmark(was_); \
	book_moved(site, mark_, realloc(was_, bytes), bytes); })

struct book_mark {
	uint32_t site, bytes;
	uint64_t check;
};
struct book_mark book_unmark(const void *block);
void *book_moved(enum site site, struct book_mark was, void *block, size_t bytes);

// A sequence of numbers; the seed moves on.
uint32_t next_random(uint64_t *seed);
size_t random_size(uint64_t *seed);

#endif

// SPDX-License-Identifier: BSD-2-Clause
// Guesses what memory outside of malloc's blocks is. The evidence is: how large that memory is, how
// much was freed, how many threads are alive (trend/outside.h), and which files are mapped. The
// files' names show the allocator, and a runtime with an allocator of its own.

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/system.h"
#include "base/unit.h"
#include "report/outside_words.h"
#include "trend/outside.h"

// Less memory than this is not described. Any process has that much: libraries, stacks, and a few
// MiB of pmem's own.
static const double least_bytes = 16 << 20;

// memory that pmem itself takes for each source: its stack and its counters
static const double source_bytes = 1024;

// Runtimes that manage memory without malloc. Python must be the first, because runtime_of() treats
// index 0 specially.
static const struct runtime {
	const char *files[6]; // names of files that a process with this runtime has mapped
	const char *what;
	const char *advice;
} runtimes[] = {
	{{"python", "python[0-9]*", "libpython*.so*"}, "Python's own arenas",
		"with PYTHONMALLOC=malloc in its environment each object is a block"},
	{{"php", "php[0-9]*", "php-fpm*", "php-cgi*", "libphp*.so*"}, "PHP's own heap",
		"with USE_ZEND_ALLOC=0 in its environment all of it is in blocks"},
	{{"libjvm.so"}, "the JVM's own heap, which -Xmx limits",
		"jcmd PID VM.native_memory says more, after a start with "
		"-XX:NativeMemoryTracking=summary"},
	{{"node", "nodejs", "libnode.so*", "libv8*.so*"}, "V8's own heap, for JavaScript's objects",
		"node --heapsnapshot-signal=SIGUSR2 writes down what is in it at each such signal"},
	{{"ruby", "ruby[0-9]*", "libruby*.so*"}, "Ruby's own heap of objects, or what YJIT has compiled",
		"ObjectSpace.dump_all, of require 'objspace', says what is in the heap"},
	{{"beam.smp"}, "Erlang's own allocators", "erlang:memory() says what has it"},
};

static const struct runtime go = {{NULL}, "Go's own heap", "its heap profile (runtime/pprof) says "
	"what is in it"};

// How to make an allocator return free memory to the kernel. `file` is the allocator's library.
static const struct giving_back {
	const char *file;
	const char *advice;
} giving_back[] = {
	{"libjemalloc.so*", "MALLOC_CONF=dirty_decay_ms:0,muzzy_decay_ms:0 gives it back at once"},
	{"libtcmalloc*.so*", "TCMALLOC_RELEASE_RATE=10 gives it back sooner"},
	{"libmimalloc*.so*", "MIMALLOC_PURGE_DELAY=0 gives it back at once"},
};

static bool
has_file(const struct run *run, const char *pattern)
{
	if (fnmatch(pattern, path_last(run->exe), 0) == 0)
		return true;
	for (size_t i = 0; i < run->module_count; i++)
		if (fnmatch(pattern, path_last(run->modules[i]->path), 0) == 0)
			return true;
	return false;
}

// Returns true if the program is written in Go. There malloc is called only by C code, and Go calls
// C code through functions with these names.
static bool
is_go(const struct run *run)
{
	for (size_t i = 0; i < run->frame_count; i++) {
		const char *function = run->frames[i]->function;
		if (strncmp(function, "x_cgo_", 6) == 0 || strncmp(function, "_cgo_", 5) == 0
				|| strncmp(function, "runtime.asmcgocall", 18) == 0)
			return true;
	}
	return false;
}

// Returns true if Python does not use its own pools, as with PYTHONMALLOC=malloc. The evidence is
// that stacks have lines of Python, and that no note in the log says that Python has pools.
static bool
has_no_pools(const struct run *run)
{
	static const char pools[] = "from pools of its own";
	bool is_python = false;

	for (size_t i = 0; i < run->note_count; i++)
		if (strstr(run->notes[i], pools))
			return false;
	for (size_t i = 0; i < run->frame_count && !is_python; i++)
		is_python = run->frames[i]->language && strcmp(run->frames[i]->language, "python") == 0;
	return is_python;
}

static const struct runtime *
runtime_of(const struct run *run)
{
	enum { RUNTIMES = sizeof(runtimes) / sizeof(runtimes[0]) };

	for (size_t i = 0; i < RUNTIMES; i++)
		for (const char *const *file = runtimes[i].files; *file; file++)
			if (has_file(run, *file))
				return i == 0 && has_no_pools(run) ? NULL : &runtimes[i];
	return is_go(run) ? &go : NULL;
}

static const char *
how_to_give_back(const struct run *run)
{
	for (size_t i = 0; i < sizeof(giving_back) / sizeof(giving_back[0]); i++)
		if (has_file(run, giving_back[i].file))
			return giving_back[i].advice;
	return run->threads.count > 1 ? "it keeps less with MALLOC_ARENA_MAX=2 in the environment"
		: "the program can give it back by malloc_trim(0)";
}

bool
outside_words(char text[OUTSIDE_TEXT], const struct run *run, const struct outside_growth *growth)
{
	enum outside outside = outside_judge(growth);
	// If the log records mapped memory, it records runtimes' heaps, too. So memory that the log
	// does not record is no runtime's heap. Go's heap is an exception. Go calls the kernel without
	// the C library, so the log does not record its mappings.
	bool tells_mapped = run->mapped->total.allocs > 0;
	const struct runtime *runtime = !tells_mapped ? runtime_of(run) : is_go(run) ? &go : NULL;

	if (outside == OUTSIDE_KEPT)
		snprintf(text, OUTSIDE_TEXT, "free memory, which malloc keeps for later, since live has "
			"fallen: %s", how_to_give_back(run));
	else if (outside == OUTSIDE_BLOCKS)
		snprintf(text, OUTSIDE_TEXT, "malloc's overhead of many small blocks");
	else if (outside == OUTSIDE_STACKS)
		snprintf(text, OUTSIDE_TEXT, "the stack%s of %s thread%s, %s each: ps -L -p PID lists them",
			growth->alive == 1 ? "" : "s", unit_count(UNIT_ROOM, (uint64_t)growth->alive),
			growth->alive == 1 ? "" : "s",
			unit_bytes(UNIT_ROOM, (uint64_t)(growth->bytes / growth->alive)));
	else if (runtime)
		snprintf(text, OUTSIDE_TEXT, "%s, and not malloc's: %s", runtime->what, runtime->advice);
	else if (outside == OUTSIDE_MAPPED)
		snprintf(text, OUTSIDE_TEXT, "memory mapped past malloc, which was never given so much: "
			"strace -f -k -e mmap,brk -p PID shows by whom");
	return outside != OUTSIDE_UNKNOWN || runtime;
}

const char *
outside_file_kind(double shared, double file)
{
	return shared < 0 ? "mapped files or shared memory"
		: shared >= file / 2 ? "shared memory" : "mapped files";
}

bool
outside_words_of_moment(char text[OUTSIDE_TEXT], const struct profile_run *of)
{
	const struct summary *at = &of->at;
	const struct fullest *fullest = &of->at_moment->more->fullest;
	double file = (double)(at->file < at->outside ? at->file : at->outside);
	double other = (double)at->outside - file;
	double explained = source_bytes * (double)at->sources + (double)at->mapped.live;

	if (!at->has_memory || at->total.live >= at->rss / 3)
		return false;
	if (file >= other) {
		double shared = at->has_shared ? (double)at->shared : -1;
		snprintf(text, OUTSIDE_TEXT, "%s%s: pmap -x PID says which", outside_file_kind(shared, file),
			shared >= file / 2 ? "" : ", the program's own file among them");
		return file >= least_bytes;
	}
	double came = other - (double)fullest->other;
	double fell = (double)fullest->live - (double)at->total.live;
	struct outside_growth growth = {
		.bytes = other - explained,
		.blocks = (double)at->total.blocks,
		.let_go = came < fell ? came : fell,
		.freed = (double)at->total.free,
		.frees = (double)at->total.frees,
		.most = (double)(at->peak > fullest->live ? at->peak : fullest->live),
		.threads = outside_threads(of->run, &of->at_moment->more->threads),
		.alive = at->alive > 0 ? (double)at->alive - 1 : 0,
	};
	return growth.bytes >= least_bytes && outside_words(text, of->run, &growth);
}

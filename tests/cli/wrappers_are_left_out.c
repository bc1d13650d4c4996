// What allocates for others is left out of a line, by its name or since many allocate through it,
// and is never where nothing with a name would remain; once it was left out it always is.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows/attribution.h"
#include "rows/wrapper.h"

static int bad;

static const char *const wrappers[] = {
	"malloc", "xmalloc", "zmalloc", "zcalloc_num", "zmalloc_usable", "ztrymalloc_usable_internal",
	"xrealloc", "do_xmalloc_gently", "g_malloc", "g_malloc0_n", "g_try_realloc", "g_strdup",
	"g_slice_alloc0", "sqlite3Malloc", "sqlite3DbMallocRawNN", "sqlite3MemMalloc",
	"sqlite3_malloc64", "PyMem_RawMalloc", "PyObject_Calloc", "_PyObject_GC_NewVar",
	"PyType_GenericAlloc", "CRYPTO_malloc", "CRYPTO_zalloc", "CRYPTO_strdup", "av_mallocz",
	"apr_palloc", "apr_pcalloc", "ngx_alloc", "ngx_pnalloc", "ngx_palloc_large", "palloc",
	"palloc0", "repalloc", "pstrdup", "MemoryContextAllocZeroAligned", "AllocSetAlloc",
	"Perl_safesysmalloc", "ruby_xmalloc2", "objspace_xmalloc0", "rb_alloc_tmp_buffer_with_count",
	"jv_mem_alloc", "os::malloc(unsigned long, MEMFLAGS)", "AllocateHeap",
	"operator new(unsigned long)", "llvm::User::operator new(unsigned long, unsigned int)",
	"ArenaAllocator<char>::allocate(unsigned long)", "node::UncheckedMalloc<char>(unsigned long)",
	"llvm::SmallVectorBase<unsigned int>::grow_pod(void*, unsigned long, unsigned long)",
	"boost::container::vector<int>::priv_insert(int)", NULL,
};

static const char *const others[] = {
	"main", "open_session", "session_alloc", "alloc_session", "malloc_failed", "count_mallocs",
	"preallocate", "prealloc", "dealloc", "xmalloc_size_of_session", "mallocator_test",
	"jemalloc_init", "parse", "Session::allocate(int)", "Cache<xmalloc>::get(int)",
	"operator_new_session", "boost::asio::run()", "", NULL,
};

static struct module program = {.path = "/usr/bin/server"};
static struct module hooks = {.path = "/opt/libpmem.so"};
static struct module library = {.path = "/usr/lib/libruby-3.1.so.3.1"};

enum { FRAMES = 512, SOURCES = 256 };

// A run whose sources the test makes up.
static struct {
	struct run run;
	struct frame frames[FRAMES];
	struct frame *pointers[FRAMES];
	struct source sources[SOURCES];
	struct source *source_pointers[SOURCES];
	struct frame *stacks[SOURCES][8];
} made;

// The frame of a name; "+7": none, at that place; "lib:name": in the library.
static struct frame *
frame_of(const char *name)
{
	struct run *run = &made.run;
	bool is_library = strncmp(name, "lib:", 4) == 0;
	struct frame frame = {.module = strcmp(name, "malloc") == 0 ? &hooks
		: is_library ? &library : &program};

	name += is_library ? 4 : 0;
	frame.is_hook = strcmp(name, "malloc") == 0;
	frame.function = name[0] == '+' ? "" : name;
	frame.offset = name[0] == '+' ? strtoull(name, NULL, 10) : 1;
	for (size_t i = 0; i < run->frame_count; i++)
		if (strcmp(run->frames[i]->function, frame.function) == 0
			&& run->frames[i]->offset == frame.offset && run->frames[i]->module == frame.module)
			return run->frames[i];
	frame.number = (unsigned)run->frame_count;
	made.frames[run->frame_count] = frame;
	made.pointers[run->frame_count] = &made.frames[run->frame_count];
	return made.pointers[run->frame_count++];
}

// A source whose stack is malloc < names..., "inner/outer".
static struct row
add_source(const char *names)
{
	struct run *run = &made.run;
	struct source *source = &made.sources[run->source_count];
	struct frame **stack = made.stacks[run->source_count];
	char *text = strdup(names);

	run->frames = made.pointers;
	run->sources = made.source_pointers;
	source->frames = stack;
	stack[source->depth++] = frame_of("malloc");
	for (char *name = strtok(text, "/"); name; name = strtok(NULL, "/"))
		stack[source->depth++] = frame_of(strdup(name));
	made.source_pointers[run->source_count++] = source;
	free(text);
	return row_of_source(source);
}

static void
expect_shown(const char *names, const char *want)
{
	struct row row = add_source(names);
	struct resolved_stack stack = {0};

	wrapper_learn(&made.run);
	resolved_stack_take(&stack, &row);
	const struct resolved_frame *resolved = attribution_shown(stack.frames, stack.count);
	if (strcmp(resolved->name, want) != 0)
		bad = printf("of %s is shown %s, should be %s\n", names, resolved->name, want);
	free(stack.frames);
}

// So many functions, from that one on, have memory allocated by the one of this name.
static void
add_callers(const char *name, unsigned from, unsigned count)
{
	char names[64];

	for (unsigned i = from; i < from + count; i++) {
		snprintf(names, sizeof(names), "%s/caller_%u/main", name, i);
		add_source(names);
	}
}

static void
expect_names(bool is_wrapper, const char *const *names)
{
	for (; *names; names++)
		if (wrapper_is_name(*names) != is_wrapper)
			bad = printf("%s: should%s be a wrapper\n", *names, is_wrapper ? "" : " not");
}

// By what they are.
static void
expect_learnt(void)
{
	add_callers("take_node", 0, WRAPPER_CALLERS - 1);
	add_callers("take_node", 0, 3); // the same ones
	expect_shown("take_node/caller_0/main", "take_node");
	add_callers("take_node", 100, 1);
	expect_shown("take_node/caller_0/main", "caller_0");
	// For good, whatever comes.
	add_callers("other", 0, 1);
	expect_shown("take_node/caller_0/main", "caller_0");
	expect_shown("zmalloc/take_node/new_one", "new_one");
	// What a wrapper is called by is looked at as well; what calls another function is not.
	add_callers("zmalloc/make_list", 0, WRAPPER_CALLERS);
	expect_shown("zmalloc/make_list/caller_1/main", "caller_1");
	add_callers("fill/dispatch", 0, WRAPPER_CALLERS);
	expect_shown("fill/dispatch/caller_1/main", "fill");
	// Calls out of one function that has no name.
	for (unsigned i = 0; i < WRAPPER_CALLERS + 8; i++) {
		char names[64];
		snprintf(names, sizeof(names), "node_new/+%u/main", 8192 + i * 16);
		add_source(names);
	}
	expect_shown("node_new/+8192/main", "node_new");
}

int
main(void)
{
	expect_names(true, wrappers);
	expect_names(false, others);

	expect_shown("zmalloc/create/main", "create");
	expect_shown("PyMem_Malloc/g_malloc/create/main", "create");
	// Nothing with a name remains.
	expect_shown("zmalloc", "zmalloc");
	expect_shown("zmalloc/+100/+200", "zmalloc");
	expect_shown("xrealloc/zmalloc/_start", "xrealloc");
	// What has no name: the nearest caller in the same module that has one.
	expect_shown("+100/create/main", "create");
	expect_shown("+100/+200/create/main", "create");
	expect_shown("+100/+200/+300/create/main", "server(+0x64)");
	expect_shown("lib:+100/create/main", "libruby-3.1.so.3.1(+0x64)");
	expect_shown("lib:+100/lib:rb_str_times/main", "rb_str_times");
	expect_shown("+100/palloc/+200/list_copy/main", "list_copy");
	expect_learnt();
	return bad != 0;
}

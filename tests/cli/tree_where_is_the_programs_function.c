// The frame worth looking at is the program's own: not the allocator's, the C library's, the
// loader's, the C++ library's or Rust's own, wherever their code lies and however names look.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows/attribution.h"
#include "rows/library.h"

static int bad;

static struct module modules[] = {
	{.path = "/opt/pmem/libpmem.so"}, {.path = "/usr/bin/server"},
	{.path = "/lib/x86_64-linux-gnu/libc.so.6"}, {.path = "/lib/libc-2.31.so"},
	{.path = "/lib64/ld-linux-x86-64.so.2"}, {.path = "/usr/lib/libstdc++.so.6.0.30"},
	{.path = "/usr/lib/libjemalloc.so.2"}, {.path = "/usr/lib/libtcmalloc_minimal.so.4"},
	{.path = "/usr/lib/libc-client.so.2007e"}, {.path = "libparse.so"},
};
enum { PMEM, SERVER, LIBC, OLD_LIBC, LOADER, CXX, JEMALLOC, TCMALLOC, CLIENT, PARSE };

// Whether a function of that name in the module is a library's.
static bool
is_library(const char *name, int module)
{
	struct frame frame = {.module = &modules[module], .function = name};
	struct resolved_frame resolved = {.frame = &frame, .name = name};
	return library_has(&resolved);
}

static void
expect(bool library, const char *const *names)
{
	for (; *names; names++) {
		if (is_library(*names, SERVER) == library)
			continue;
		printf("%s: should be %s\n", *names, library ? "a library's" : "the program's");
		bad = 1;
	}
}

static const char *const libraries[] = {
	"operator new(unsigned long)", "operator new[](unsigned long, std::align_val_t)",
	"std::vector<int, std::allocator<int> >::push_back(int const&)",
	"void std::vector<Session, std::allocator<Session> >::_M_realloc_insert<Session const&>("
	"__gnu_cxx::__normal_iterator<Session*, std::vector<Session> >, Session const&)",
	"int* std::__uninitialized_copy<false>::__uninit_copy<int*, int*>(int*, int*, int*)",
	"std::enable_if<true, void>::type std::swap<int>(int&, int&)",
	"decltype (f(a)) std::__invoke<void (*&)(int)>(void (*&)(int), int&&)",
	"__gnu_cxx::new_allocator<char>::allocate(unsigned long, void const*)",
	"std::__1::basic_string<char>::reserve(unsigned long)",
	"std::operator<< <char>(std::ostream&, char)",
	"_Znwm",
	"_ZNSt6vectorIiSaIiEE9push_backERKi",
	"_ZNKSt8functionIFvvEEclEv",
	"_ZN9__gnu_cxx13new_allocatorIcE8allocateEmPKv",
	"alloc::raw_vec::RawVec<T,A>::grow_one",
	"core::ops::function::FnOnce::call_once",
	"<alloc::vec::Vec<server::Session> as core::clone::Clone>::clone",
	"<T as alloc::string::ToString>::to_string",
	"<str as alloc::borrow::ToOwned>::to_owned",
	"<&mut [T] as core::iter::FromIterator<T>>::from_iter",
	"<[T]>::into_vec",
	"core::ops::function::FnOnce::call_once{{vtable.shim}}",
	"<fn(A) -> B as core::ops::function::Fn<(A,)>>::call",
	"alloc[3f2a]::vec::from_elem::<u8>",
	"hashbrown::raw::RawTable<T,A>::reserve_rehash",
	"std::collections::hash::map::HashMap<K,V,S>::insert",
	"__rust_alloc",
	"_ZN5alloc7raw_vec19RawVec$LT$T$C$A$GT$8grow_one17h0123456789abcdefE",
	"_ZN67_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..clone..Clone$GT$5clone"
	"17h0123456789abcdefE",
	"_start",
	NULL,
};

static const char *const programs[] = {
	"open_session", "xmalloc", "main", "std", "score", "core", "alloc_session", "_startup",
	"handle(std::vector<int, std::allocator<int> >)",
	"void process<std::string>(std::string)",
	"std::vector<int> make_numbers<int>(unsigned long)",
	"Session::operator new(unsigned long)",
	"(anonymous namespace)::handle(int)",
	"core::Engine::load(char const*)",
	"alloc::Pool::take()",
	"main::{lambda(int)#1}::operator()(int) const",
	"server(+0x11b0)",
	"core(+0x10)",
	"_ZN4core6Engine4loadEPKc",
	"_ZN6server6handleEv",
	"server::handle",
	"server::handle::{{closure}}",
	"<server::Session as core::clone::Clone>::clone",
	"<str as server::Parse>::parse",
	"<&server::Session as core::fmt::Debug>::fmt",
	"corelib::start",
	"_ZN6server4load17h0123456789abcdefE",
	"stdlib_init",
	"g_malloc",
	"",
	NULL,
};

// Where in `frames`, innermost first, the function worth looking at is.
static void
expect_where(const char *want, struct frame *frames, size_t count)
{
	struct frame *pointers[8];
	struct resolved_frame resolved_frames[8];

	for (size_t i = 0; i < count; i++)
		pointers[i] = &frames[i];
	struct row row = {.frames = pointers, .depth = (unsigned)count};
	if (row_resolved_frames(&row, NULL) != count
			|| row_resolved_frames(&row, resolved_frames) != count)
		bad = printf("%s: row_resolved_frames() is wrong\n", want);
	const struct resolved_frame *resolved = attribution_own(resolved_frames, count);
	if (strcmp(resolved->name, want) != 0)
		bad = printf("where is %s, should be %s\n", resolved->name, want);
}

// Functions that are inlined at a frame are frames: what is inlined innermost comes last.
static void
expect_inlined(void)
{
	struct inline_call calls[] = {{"innermost", "a.c", 1}, {"inner", "a.c", 2}, {"outer", "a.c", 3}};
	struct symbolized symbolized = {calls, 3};
	struct frame frames[] = {{.symbolized = &symbolized, .module = &modules[SERVER]},
		{.function = "main", .module = &modules[SERVER]}};
	struct frame *pointers[] = {&frames[0], &frames[1]};
	struct row row = {.frames = pointers, .depth = 2};
	struct resolved_stack stack = {0};
	char names[64] = "";

	resolved_stack_take(&stack, &row);
	if (attribution_own(stack.frames, stack.count) != &stack.frames[3])
		bad = printf("where is not the innermost\n");
	// Compilers name no namespace of it.
	calls[0].file = calls[1].file = "/usr/include/c++/12/bits/std_function.h";
	if (attribution_own(stack.frames, stack.count) != &stack.frames[1])
		bad = printf("where is in the C++ library\n");
	for (size_t i = 0; i < stack.count; i++)
		strcat(strcat(names, " "), stack.frames[i].name);
	if (strcmp(names, " main outer inner innermost") != 0)
		bad = printf("frames are%s\n", names);
	free(stack.frames);
}

static void
expect_text(const char *want, struct frame *frames, size_t count)
{
	struct frame *pointers[8];
	struct resolved_stack stack = {0};
	char *text;
	size_t length;
	FILE *to = open_memstream(&text, &length);

	for (size_t i = 0; i < count; i++)
		pointers[i] = &frames[i];
	resolved_stack_take(&stack,
		&(struct row){.frames = pointers, .depth = (unsigned)count});
	attribution_print(to, stack.frames, stack.count, NULL);
	fclose(to);
	if (strcmp(text, want) != 0)
		bad = printf("where is told as %s, should be %s\n", text, want);
	free(text);
	free(stack.frames);
}

// The program's function with its place, what it called, and its callers in the program.
static void
expect_texts(void)
{
	struct inline_call call = {"std::vector<int> ns::take<int>(char const*) const", "/src/util.cc", 7};
	struct symbolized symbolized = {&call, 1};
	struct frame frames[] = {
		{.function = "malloc", .module = &modules[PMEM], .is_hook = true},
		{.function = "std::map<int, A<int>>::operator[](int&&)", .module = &modules[SERVER]},
		{.function = "", .symbolized = &symbolized, .module = &modules[SERVER]},
		{.function = "parse", .module = &modules[SERVER]},
		{.function = "qsort", .module = &modules[LIBC]},
		{.function = "parse", .module = &modules[SERVER]},
		{.function = "(anonymous namespace)::run(void (*)(int))", .module = &modules[SERVER]},
		{.function = "__libc_start_main", .module = &modules[LIBC]},
	};
	struct frame plugin[] = {
		{.function = "malloc", .module = &modules[PMEM], .is_hook = true},
		{.function = "parse", .module = &modules[PARSE]},
		{.function = "main", .module = &modules[SERVER]},
	};

	expect_text("ns::take<> util.cc:7 via std::map::operator[] < parse x2 < "
		"(anonymous namespace)::run", frames, 8);
	expect_text("parse (libparse.so) < main", plugin, 3);
	expect_text("malloc", plugin, 1);
}

int
main(void)
{
	struct frame frames[] = {
		{.function = "malloc", .module = &modules[PMEM], .is_hook = true},
		{.function = "strdup", .module = &modules[LIBC]},
		{.function = "copy_name", .module = &modules[SERVER]},
		{.function = "bsearch", .module = &modules[LIBC]},
		{.function = "main", .module = &modules[SERVER]},
	};
	struct frame start_up[] = {
		{.function = "malloc", .module = &modules[PMEM], .is_hook = true},
		{.function = "pool", .module = &modules[CXX]},
		{.function = "_dl_init", .module = &modules[LOADER]},
	};

	expect_inlined();
	expect_texts();
	expect(true, libraries);
	expect(false, programs);
	for (int i = LIBC; i <= TCMALLOC; i++)
		if (!is_library("f", i))
			bad = printf("%s is a library\n", modules[i].path);
	if (is_library("f", CLIENT) || is_library("f", PARSE))
		bad = printf("libraries of the program are the program's\n");

	expect_where("copy_name", frames, 5);
	// Nothing of the program in it: what comes first outside of the allocator says most.
	expect_where("pool", start_up, 3);
	expect_where("malloc", frames, 1);
	return bad != 0;
}

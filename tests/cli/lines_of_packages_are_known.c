// Whose a line of Ruby, Python or JavaScript is, or a function that a perf map names, follows from its path: the program's own, or the
// standard library's, a package's, a launcher's. A file is told by its name alone where that tells
// which one it is. Of an interpreter's functions those that call others are known by their names.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows/attribution.h"
#include "rows/library.h"
#include "rows/script_line.h"

static int bad;

static const struct {
	const char *file, *function;
	bool is_packages;
} lines[] = {
	{"/srv/shop/app.py", "main", false},
	{"app.rb", "<main>", false},
	{"/srv/lib/order.rb", "load", false},
	{"/srv/python3/app.py", "main", false},
	{"/srv/lib/pythonic/app.py", "main", false},
	{"<string>", "<module>", false},
	{"(eval)", "x", false},
	{"-e", "<main>", false},
	{"", "damaged", false},
	{"/", "f", false},
	{"/srv/bin/server", "handle", false},
	{"/usr/lib/python3.11/json/decoder.py", "raw_decode", true},
	{"/usr/lib/python3.13t/threading.py", "run", true},
	{"/usr/lib/python3/dist-packages/flask/app.py", "__call__", true},
	{"/srv/venv/lib/python3.12/site-packages/flask/app.py", "__call__", true},
	{"/opt/site-packages/a.py", "f", true},
	{"/usr/lib/ruby/3.1.0/json/common.rb", "parse", true},
	{"/home/u/.rbenv/versions/3.1.0/lib/ruby/3.1.0/set.rb", "add", true},
	{"/var/lib/gems/3.1.0/gems/sinatra-3.0.5/lib/sinatra/base.rb", "call", true},
	{"/srv/node_modules/express/lib/router.js", "handle", true},
	{"node:internal/streams", "write", true},
	{"<frozen importlib._bootstrap>", "_find_and_load", true},
	{"<internal:kernel>", "loop", true},
	{"<frozen runpy>", "_run_code", true},
	{"/usr/bin/gunicorn", "<module>", true},
	{"/usr/sbin/puma", "<main>", true},
	{"bin/rails", "<main>", false},
};

static void
expect_packages(void)
{
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct frame frame = {.language = "python", .file = lines[i].file,
			.function = lines[i].function, .line = 1};
		struct resolved_frame resolved = {.frame = &frame, .name = frame.function};
		if (library_has(&resolved) != lines[i].is_packages)
			bad = printf("%s in %s: should be %s\n", frame.file, frame.function,
				lines[i].is_packages ? "a package's" : "the program's");
	}
}

// As a perf map names them.
static const struct {
	const char *name;
	enum script_line_owner owner;
} codes[] = {
	{"long java.util.zip.Inflater.init(boolean)", SCRIPT_PACKAGES},
	{"void com.sun.net.httpserver.Filter$Chain.doFilter(com.sun.net.httpserver.HttpExchange)",
		SCRIPT_PACKAGES},
	{"java.lang.Object java.util.HashMap.get(java.lang.Object)", SCRIPT_PACKAGES},
	{"Ljava/util/zip/Inflater;::init", SCRIPT_PACKAGES},
	{"java.lang.String com.shop.Order.name(java.util.List)", SCRIPT_OWN},
	{"void Shop$$Lambda$5/0x00007ff834000a08.handle(com.sun.net.httpserver.HttpExchange)", SCRIPT_OWN},
	{"Lcom/shop/Order;::total", SCRIPT_OWN},
	{"javascript.run", SCRIPT_OWN},
	{"", SCRIPT_OWN},
	{"JS:handle /srv/app.js:4:21", SCRIPT_OWN},
	{"JS:next /srv/node_modules/express/lib/router/index.js:177:16", SCRIPT_PACKAGES},
	{"JS:emit node:events:466:44", SCRIPT_INSIDE},
	{"py::keep:/srv/app.py", SCRIPT_OWN},
	{"py::raw_decode:/usr/lib/python3.12/json/decoder.py", SCRIPT_PACKAGES},
	{"py::_find_and_load:<frozen importlib._bootstrap>", SCRIPT_INSIDE},
	{"Interpreter", SCRIPT_INSIDE},
};

static void
expect_owners(void)
{
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		if (library_owner_of_code(codes[i].name) != codes[i].owner)
			bad = printf("%s: should be %d\n", codes[i].name, codes[i].owner);
}

static const struct {
	const char *file, *shown;
} files[] = {
	{"/srv/app.py", "app.py:7 in f"},
	{"/usr/lib/python3/dist-packages/flask/app.py", "flask/app.py:7 in f"},
	{"/srv/models/order.py", "models/order.py:7 in f"},
	{"/srv/views/order.py", "views/order.py:7 in f"},
	{"/srv/a/b/c.py", "a/b/c.py:7 in f"},
	{"/srv/x/b/c.py", "x/b/c.py:7 in f"},
	{"b/c.py", "b/c.py:7 in f"},
	{"/srv/shop/__init__.py", "shop/__init__.py:7 in f"},
	{"/srv/web/index.js", "web/index.js:7 in f"},
	{"__main__.py", "__main__.py:7 in f"},
	{"/srv/dir/", "/srv/dir/:7 in f"},
	{"//d.py", "d.py:7 in f"},
	{"", ":7 in f"},
};
enum { FILES = sizeof(files) / sizeof(files[0]) };

static void
expect_names(void)
{
	struct frame frames[FILES];
	struct frame *pointers[FILES];
	struct run run = {.frames = pointers, .frame_count = FILES};

	for (size_t i = 0; i < FILES; i++) {
		frames[i] = (struct frame){.language = "python", .file = files[i].file, .function = "f",
			.line = 7};
		pointers[i] = &frames[i];
	}
	script_line_learn(&run);
	for (size_t i = 0; i < FILES; i++) {
		char *text;
		size_t length;
		FILE *to = open_memstream(&text, &length);
		script_line_print(to, &frames[i]);
		fclose(to);
		if (files[i].file[0] && strcmp(text, files[i].shown) != 0)
			bad = printf("%s: told as %s, should be %s\n", files[i].file, text, files[i].shown);
		free(text);
	}
}

static void
expect_calls(void)
{
	static const char *const calls[] = {
		"_PyEval_EvalFrameDefault", "_PyObject_Vectorcall", "PyObject_Call", "_PyObject_MakeTpCall",
		"_PyFunction_Vectorcall", "method_vectorcall_NOARGS", "cfunction_call", "slot_tp_call",
		"PyObject_CallMethod", "rb_vm_exec", "vm_exec_core", "vm_call_cfunc", "rb_funcallv",
		"rb_yield", "rb_ensure", "vm_call_cfunc_with_frame", "invoke_block_from_c_bh", NULL,
	};
	static const char *const others[] = {
		"PyByteArray_Resize", "list_resize", "PyUnicode_New", "PyDict_SetItem", "rb_str_resize",
		"rb_ary_push", "st_insert", "str_new0", "evmalloc", "", NULL,
	};

	for (int i = 0; calls[i]; i++)
		if (!script_line_is_call(calls[i]))
			bad = printf("%s: calls others\n", calls[i]);
	for (int i = 0; others[i]; i++)
		if (script_line_is_call(others[i]))
			bad = printf("%s: does something itself\n", others[i]);
}

int
main(void)
{
	expect_packages();
	expect_owners();
	expect_names();
	expect_calls();
	return bad != 0;
}

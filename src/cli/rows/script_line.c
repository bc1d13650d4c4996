// SPDX-License-Identifier: BSD-2-Clause

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/memory.h"
#include "base/system.h"
#include "log/lexer.h"
#include "rows/script_line.h"

// Installed packages are in one of these folders.
static const char *const folders[] = {
	"/site-packages/", "/dist-packages/", "/gems/", "/node_modules/", "/lib/ruby/", NULL,
};

// Code compiled into an interpreter has one of these in place of a path.
static const char *const inside[] = {
	"<frozen ", "<internal:", "node:", NULL,
};

// Returns true for files of Python's standard library: /usr/lib/python3.11/json/decoder.py.
static bool
is_of_python(const char *path)
{
	for (const char *at = path; (at = strstr(at, "/lib/python")); at++) {
		at += strlen("/lib/python");
		if (at[strspn(at, "0123456789.t")] == '/')
			return true;
	}
	return false;
}

static bool
is_inside(const char *path)
{
	for (int i = 0; inside[i]; i++)
		if (begins(path, inside[i]))
			return true;
	return false;
}

static bool
is_installed(const char *path)
{
	for (int i = 0; folders[i]; i++)
		if (strstr(path, folders[i]))
			return true;
	return is_of_python(path);
}

// Returns true for a launcher, the script of an installed command that only loads another file. A
// launcher is on every stack of its program, so it tells a reader nothing.
static bool
is_launcher(const struct frame *frame)
{
	const char *name = path_last(frame->file);
	size_t folder = (size_t)(name - frame->file);

	return frame->function[0] == '<' && folder >= strlen("/bin/")
		&& (strncmp(name - strlen("/bin/"), "/bin/", strlen("/bin/")) == 0
			|| strncmp(name - strlen("sbin/"), "sbin/", strlen("sbin/")) == 0);
}

// Returns true for a method or file of Java's own packages. The name has one of three forms. A perf
// map has a method as `void java.util.List.add(int)` or `Ljava/util/List;::add`. A line of Java has
// a file as `java/util/List.java`.
static bool
is_of_java(const char *name)
{
	static const char *const packages[] = {"java.", "javax.", "sun.", "com.sun.", "jdk.", "Ljava/",
		"Ljavax/", "Lsun/", "Lcom/sun/", "Ljdk/", "java/", "javax/", "sun/", "com/sun/", "jdk/", NULL};
	size_t length = strcspn(name, "(");

	while (length > 0 && name[length - 1] != ' ')
		length--;
	for (int i = 0; packages[i]; i++)
		if (begins(name + length, packages[i]))
			return true;
	return false;
}

static bool
is_of_package(const struct frame *frame)
{
	return is_installed(frame->file)
		|| (strcmp(frame->language, "java") == 0 && is_of_java(frame->file));
}

enum script_line_owner
script_line_owner(const struct frame *frame)
{
	if (is_inside(frame->file))
		return SCRIPT_INSIDE;
	return is_of_package(frame) || is_launcher(frame) ? SCRIPT_PACKAGES : SCRIPT_OWN;
}

enum script_line_owner
script_line_owner_of_code(const char *name)
{
	return is_installed(name) || is_of_java(name) ? SCRIPT_PACKAGES : SCRIPT_OWN;
}

// `end` points into the path. Returns the next longer ending of the path, with one more component:
// after "app.py" comes "web/app.py", and at last "/srv/web/app.py".
static const char *
longer(const char *path, const char *end)
{
	if (end > path)
		end--;
	while (end > path && end[-1] != '/')
		end--;
	return end;
}

// Counts, for each ending of a path, how many different paths have it.
struct ends {
	struct intern paths, texts;
	unsigned *counts; // counts[n] is the number of paths that have ending number n of `texts`
	size_t room;
};

static void
add_path(struct ends *ends, const char *path)
{
	bool is_new;

	intern_number(&ends->paths, path, strlen(path), &is_new);
	if (!is_new)
		return;
	for (const char *end = path_last(path);; end = longer(path, end)) {
		size_t number = intern_text(&ends->texts, end);
		ends->counts = memory_room(ends->counts, number + 1, &ends->room, sizeof(*ends->counts));
		ends->counts[number]++;
		if (end == path)
			return;
	}
}

static void
ends_free(struct ends *ends)
{
	intern_free(&ends->paths);
	intern_free(&ends->texts);
	free(ends->counts);
}

void
script_line_learn(struct run *run)
{
	struct ends own = {0}; // endings of the program's files
	struct ends all = {0};

	for (size_t i = 0; i < run->frame_count; i++) {
		const struct frame *frame = run->frames[i];
		if (!frame->language)
			continue;
		add_path(&all, frame->file);
		if (!is_of_package(frame))
			add_path(&own, frame->file);
	}
	for (size_t i = 0; i < run->frame_count; i++) {
		struct frame *frame = run->frames[i];
		if (!frame->language)
			continue;
		const struct ends *ends = is_of_package(frame) ? &all : &own;
		frame->shown = path_last(frame->file);
		// Names such as __init__.py say nothing without their folder.
		while (frame->shown > frame->file && (fnmatch("__*__.py", frame->shown, 0) == 0
				|| strcmp(frame->shown, "index.js") == 0
				|| ends->counts[intern_find(&ends->texts, frame->shown, strlen(frame->shown))] != 1))
			frame->shown = longer(frame->file, frame->shown);
	}
	ends_free(&own);
	ends_free(&all);
}

static const char *
short_name(const struct frame *frame)
{
	return frame->shown ? frame->shown : path_last(frame->file);
}

static void
print_line(FILE *to, const struct frame *frame, const char *file)
{
	fputs(file, to);
	if (frame->line > 0)
		fprintf(to, ":%u", frame->line);
	fprintf(to, "%s%s", file[0] ? " in " : "", frame->function);
}

// Returns true if the function's name begins with the file's name without its ending. That is so
// for a Java class that is named like its file.
static bool
names_its_file(const struct frame *frame)
{
	const char *file = path_last(frame->file);
	size_t length = strcspn(file, ".");
	const char *behind = frame->function + length;

	return strcmp(frame->language, "java") == 0 && length > 0
		&& strncmp(frame->function, file, length) == 0 && (*behind == '.' || *behind == '$');
}

void
script_line_print(FILE *to, const struct frame *frame)
{
	if (!names_its_file(frame)) {
		print_line(to, frame, short_name(frame));
		return;
	}
	fputs(frame->function, to);
	if (frame->line > 0)
		fprintf(to, ":%u", frame->line);
}

void
script_line_print_place(FILE *to, const struct frame *frame)
{
	if (frame->file[0])
		fprintf(to, "  %s", short_name(frame));
	if (frame->line > 0)
		fprintf(to, ":%u", frame->line);
}

char *
script_line_text(const struct frame *frame)
{
	struct compose text;

	compose_begin(&text);
	print_line(text.to, frame, frame->file);
	return compose_end(&text);
}

// Functions of CPython and of Ruby that only call others, as patterns of fnmatch(3).
static const char *const calls[] = {
	"_PyEval_*", "PyEval_*", "*PyObject_*Call*", "*PyObject_Fast*", "*PyObject_MakeTpCall",
	"*ectorcall*", "_PyFunction_*", "PyCFunction_*", "_PyCFunction_*", "_PyMethodDef_*",
	"cfunction_*", "classmethoddescr_*", "slot_tp_*", "wrap_*", "type_call", "object_vacall",
	"_PyStack_*", "PyImport_*", "import_*", "_imp_*", "do_call_core", "call_function",
	"trace_call_function", "builtin_exec*", "builtin___*", "gen_send*",
	"gen_iternext", "async_gen_*", "PyRun_*", "run_mod", "run_eval_code_obj", "Py_RunMain",
	"Py_BytesMain", "pymain_*",
	"vm_*", "rb_vm_*", "rb_ec_*", "ec_*", "invoke_*", "call_cfunc*", "ractor_*call*", "rb_call*",
	"rb_funcall*", "rb_yield*", "rb_protect", "rb_ensure", "rb_rescue*", "rb_catch*", "rb_iterate*",
	"rb_block_*", "rb_method_call*", "rb_obj_call_init*", "rb_class_new_instance*", "rb_require*",
	"require_internal", "rb_load*", "rb_iseq_*", "ruby_exec*", "ruby_run_*", "rb_mutex_sync*",
	"rb_obj_instance_*", "yield_under", "eval_under", NULL,
};

bool
script_line_is_call(const char *function)
{
	for (int i = 0; calls[i]; i++)
		if (fnmatch(calls[i], function, 0) == 0)
			return true;
	return false;
}

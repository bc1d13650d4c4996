// SPDX-License-Identifier: BSD-2-Clause

#include <stdbool.h>
#include <string.h>

#include "base/intern.h"
#include "export/anonymous.h"

// Parts of paths that are kept.
static const char *const public_parts[] = {
	"", ".", "..", "?", "-", "<string>", "<stdin>", "usr", "lib", "lib32", "lib64", "libx32", "local",
	"bin", "sbin", "share", "opt", "srv", "var", "home", "root", "tmp", "etc", "proc", "sys", "dev",
	"run", "debug", "x86_64-linux-gnu", "aarch64-linux-gnu", "site-packages", "dist-packages", "gems",
	"node_modules", "java", "javax", "sun", "jdk", "com", "org", "jvm", "system.slice", "user.slice",
	"init.scope", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "ld-musl-x86_64.so.1",
	"ld-musl-aarch64.so.1", "linux-vdso.so.1", "[vdso]", "(program)", "beam.smp",
};

// Beginnings of file names that are kept if only a version and .so follow.
static const char *const public_stems[] = {
	"libpmem", "libpmem-sampled", "libc", "ld", "libpthread", "libdl", "libm", "librt", "libresolv",
	"libgcc_s", "libstdc++", "libc++", "libc++abi", "libjemalloc", "libtcmalloc",
	"libtcmalloc_minimal", "libmimalloc", "libpython", "python", "libruby", "ruby", "libphp", "php",
	"php-fpm", "php-cgi", "libperl", "perl", "liblua", "lua", "libluajit", "luajit", "libjvm", "java",
	"libnode", "node", "nodejs", "libmozjs",
};

// Endings that a stand-in keeps.
static const char *const endings[] = {
	".so", ".py", ".pyc", ".rb", ".ru", ".rake", ".java", ".class", ".jar", ".php", ".js", ".mjs", ".cjs",
	".ts", ".log", ".map", ".dump", ".service", ".scope", ".slice", ".socket",
};

#define COUNT(LIST) (sizeof(LIST) / sizeof(*(LIST)))

static struct intern parts;

static bool
is(const char *text, size_t length, const char *word)
{
	return strlen(word) == length && memcmp(text, word, length) == 0;
}

static bool
starts(const char *text, size_t length, const char *word)
{
	return length >= strlen(word) && memcmp(text, word, strlen(word)) == 0;
}

// Returns true if the text is a version, .so, and a version, each of which may be absent.
static bool
is_version(const char *text, size_t length)
{
	size_t at = length > 0 && text[0] == '-';

	for (int times = 0; times < 2; times++) {
		while (at < length && ((text[at] >= '0' && text[at] <= '9') || text[at] == '.'))
			at++;
		// The loop took the dot of .so.
		if (times == 0 && at > 0 && text[at - 1] == '.' && starts(text + at, length - at, "so"))
			at += strlen("so");
	}
	return at == length;
}

static bool
is_public(const char *part, size_t length)
{
	for (size_t i = 0; i < COUNT(public_parts); i++)
		if (is(part, length, public_parts[i]))
			return true;
	for (size_t i = 0; i < COUNT(public_stems); i++) {
		size_t stem = strlen(public_stems[i]);
		if (starts(part, length, public_stems[i]) && is_version(part + stem, length - stem))
			return true;
	}
	return false;
}

// Returns the part's ending, if a stand-in keeps it. A library's version behind .so is left out.
static const char *
ending_of(const char *part, size_t length)
{
	for (size_t i = 0; i < COUNT(endings); i++) {
		size_t ending = strlen(endings[i]);
		if (length > ending && is(part + length - ending, ending, endings[i]))
			return endings[i];
	}
	const char *library = memmem(part, length, ".so.", strlen(".so."));
	return library && library > part ? ".so" : "";
}

static void
put_part(FILE *to, const char *part, size_t length)
{
	if (is_public(part, length)) {
		fwrite(part, 1, length, to);
		return;
	}
	size_t number = intern_number(&parts, part, length, NULL) + 1;
	if (part[0] == '<' && part[length - 1] == '>')
		// Files that are built into CPython or Ruby.
		fprintf(to, "%sn%zu>", starts(part, length, "<frozen ") ? "<frozen "
			: starts(part, length, "<internal:") ? "<internal:" : "<", number);
	else
		// The dashes of an option stay, since an option is no script.
		fprintf(to, "%sn%zu%s", starts(part, length, "--") ? "--" : part[0] == '-' ? "-" : "", number,
			ending_of(part, length));
}

void
anonymous_word(FILE *to, const char *word, size_t length)
{
	if (is(word, length, "-"))
		fwrite(word, 1, length, to);
	else
		fprintf(to, "n%zu", intern_number(&parts, word, length, NULL) + 1);
}

void
anonymous_path(FILE *to, const char *path, size_t length)
{
	const char *end = path + length;

	for (const char *part = path;; part++) {
		const char *slash = memchr(part, '/', (size_t)(end - part));
		const char *behind = slash ? slash : end;
		if (behind > part)
			put_part(to, part, (size_t)(behind - part));
		if (!slash)
			return;
		putc('/', to);
		part = slash;
	}
}

// Returns how many characters at the text's end are numbers of lines and columns: `:12:3`.
static size_t
line_numbers(const char *text, size_t length)
{
	size_t end = length;

	for (size_t at = length; at > 0; at--) {
		if (text[at - 1] == ':' && at < end)
			end = at - 1;
		else if (text[at - 1] < '0' || text[at - 1] > '9')
			break;
	}
	return length - end;
}

bool
anonymous_is_function(const char *name, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (strchr("/@ []", name[i]))
			return false;
		for (size_t k = 0; name[i] == '.' && k < COUNT(endings); k++) {
			size_t ending = strlen(endings[k]);
			if (starts(name + i, length - i, endings[k])
					&& (i + ending == length || strchr(":@(", name[i + ending])))
				return false;
		}
	}
	return !starts(name, length, "RegExp:");
}

void
anonymous_code(FILE *to, const char *name, size_t length)
{
	static const char python[] = "py::", builtin[] = "node:";
	bool is_python = starts(name, length, python);
	size_t skipped = is_python ? strlen(python) : 0;
	const char *place = memchr(name + skipped, is_python ? ':' : ' ', length - skipped);

	// Without a place the name is a function's, and stays. A name that may contain a path, or is a regular
	// expression, is replaced.
	if (!place || memchr(name, '/', (size_t)(place - name)) || starts(name, length, "RegExp:")) {
		if (anonymous_is_function(name, length))
			fwrite(name, 1, length, to);
		else
			anonymous_path(to, name, length);
		return;
	}
	place++;
	size_t bytes = length - (size_t)(place - name);
	size_t numbers = line_numbers(place, bytes);
	fwrite(name, 1, (size_t)(place - name), to);
	// Modules of node itself.
	if (starts(place, bytes, builtin))
		fwrite(builtin, 1, strlen(builtin), to);
	size_t begin = starts(place, bytes, builtin) ? strlen(builtin) : 0;
	anonymous_path(to, place + begin, bytes - numbers - begin);
	fwrite(place + bytes - numbers, 1, numbers, to);
}

// SPDX-License-Identifier: BSD-2-Clause
// The files in page/ are compiled into pmem. A browser cannot import a module that is inside a
// page. So all modules become one script. Names in a module stay private, except those that it
// exports.

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "html/data.h"
#include "html/head.h"
#include "html/page.h"
#include "html/sha256.h"

#define FILE_OF_PAGE(NAME, FILE) \
	extern const char html_page_##NAME[]; \
	__asm__(".pushsection .rodata\n" \
		".globl html_page_" #NAME "\n" \
		".hidden html_page_" #NAME "\n" \
		"html_page_" #NAME ":\n" \
		".incbin \"src/cli/html/page/" FILE "\"\n" \
		".byte 0\n" \
		".popsection\n")

FILE_OF_PAGE(index, "index.html");
FILE_OF_PAGE(style, "style.css");
FILE_OF_PAGE(units, "units.js");
FILE_OF_PAGE(data, "data.js");
FILE_OF_PAGE(view, "view.js");
FILE_OF_PAGE(choice, "choice.js");
FILE_OF_PAGE(pen, "pen.js");
FILE_OF_PAGE(head, "head.js");
FILE_OF_PAGE(chart, "chart.js");
FILE_OF_PAGE(time, "time.js");
FILE_OF_PAGE(flame, "flame.js");
FILE_OF_PAGE(sources, "sources.js");
FILE_OF_PAGE(detail, "detail.js");
FILE_OF_PAGE(main, "main.js");

// Each module imports only from modules that come before it here.
static const char *const modules[] = {
	html_page_units, html_page_pen, html_page_data, html_page_view, html_page_choice,
	html_page_head, html_page_chart, html_page_time, html_page_flame, html_page_detail,
	html_page_sources, html_page_main,
};

static size_t
line_length(const char *line)
{
	size_t length = strcspn(line, "\n");
	return length + (line[length] == '\n');
}

// Writes the names that the module exports, each followed by a comma.
static void
put_exports(FILE *to, const char *text)
{
	static const char *const kinds[] = {"export function ", "export const "};

	for (; *text; text += line_length(text))
		for (int i = 0; i < 2; i++) {
			size_t length = strlen(kinds[i]);
			if (strncmp(text, kinds[i], length) == 0)
				fprintf(to, "%.*s, ", (int)strcspn(text + length, " (="), text + length);
		}
}

// Writes the module as a function that returns its exports, which become constants of the script.
// Import lines are left out: the names that they import are such constants.
static void
put_module(FILE *to, const char *text)
{
	static const char exported[] = "export ";
	const char *whole = text;

	fputs("const { ", to);
	put_exports(to, text);
	fputs("} = (() => {\n", to);
	while (*text) {
		if (strncmp(text, "import ", 7) == 0) {
			text += strcspn(text, ";");
			text += line_length(text);
			continue;
		}
		if (strncmp(text, exported, sizeof(exported) - 1) == 0)
			text += sizeof(exported) - 1;
		size_t length = line_length(text);
		fwrite(text, 1, length, to);
		text += length;
	}
	fputs("return { ", to);
	put_exports(to, whole);
	fputs("};\n})();\n", to);
}

static char *
make_script(void)
{
	struct compose script;

	compose_begin(&script);
	fputs("\n'use strict';\n", script.to);
	for (size_t i = 0; i < sizeof(modules) / sizeof(*modules); i++)
		put_module(script.to, modules[i]);
	return compose_end(&script);
}

// Writes the text of an element, with escapes for HTML.
static void
put_text(FILE *to, const char *text)
{
	for (; *text; text++)
		if (strchr("<>&\"", *text))
			fprintf(to, "&#%d;", *text);
		else
			fputc(*text, to);
}

// Writes the Content-Security-Policy: only the page's own script and style are allowed. With
// --follow, the page may also fetch from its own origin, to load a newer page.
static void
put_policy(FILE *to, bool follows, const char *style, const char *script)
{
	char hash[SHA256_TEXT];

	fprintf(to, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		"script-src 'sha256-%s'; ", sha256_base64(hash, script, strlen(script)));
	fprintf(to, "style-src 'sha256-%s'; img-src data:; ", sha256_base64(hash, style, strlen(style)));
	fprintf(to, "%sbase-uri 'none'; form-action 'none'\">\n", follows ? "connect-src 'self'; " : "");
	if (follows)
		fputs("<meta name=\"pmem-follows\" content=\"yes\">\n", to);
}

void
page_write(FILE *to, const struct collection *collection, bool follows)
{
	static const char *const marks[] = {"<!--policy-->", "<!--title-->", "<!--style-->",
		"<!--data-->", "<!--script-->", NULL};
	const char *at = html_page_index;
	char *script = make_script(), *title = head_title(collection);

	for (int i = 0; marks[i]; i++) {
		const char *mark = strstr(at, marks[i]);
		ASSERT(mark);
		fwrite(at, 1, (size_t)(mark - at), to);
		at = mark + strlen(marks[i]);
		switch (i) {
		case 0:
			put_policy(to, follows, html_page_style, script);
			break;
		case 1:
			put_text(to, title);
			break;
		case 2:
			fputs(html_page_style, to);
			break;
		case 3:
			data_write(to, collection);
			break;
		default:
			fputs(script, to);
		}
	}
	fputs(at, to);
	free(script);
	free(title);
}

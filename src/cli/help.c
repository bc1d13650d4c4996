#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/term.h"
#include "help.h"

enum {
	// What a text must have beside an option's name; else it goes below it.
	TEXT_COLUMNS = 20,
};

struct filling {
	size_t width;
	size_t column; // that has been written
	size_t hang;   // where the item's text begins
	bool is_open;  // the item's line has not been ended
};

static size_t
longest_line(const char *text)
{
	size_t longest = 0;

	while (*text) {
		size_t length = strcspn(text, "\n");
		longest = length > longest ? length : longest;
		text += length + (text[length] == '\n');
	}
	return longest;
}

static void
end_line(struct filling *filling)
{
	if (filling->is_open)
		putchar('\n');
	filling->is_open = false;
	filling->column = 0;
}

static void
put_words(struct filling *filling, const char *text, size_t length)
{
	const char *end = text + length;

	while (text < end) {
		text += strspn(text, " ");
		size_t word = strcspn(text, " \n");
		size_t blank = filling->column > filling->hang;
		if (blank && filling->column + blank + word > filling->width) {
			putchar('\n');
			printf("%*s", (int)filling->hang, "");
			filling->column = filling->hang;
			blank = 0;
		}
		printf("%s%.*s", blank ? " " : "", (int)word, text);
		filling->column += blank + word;
		text += word;
	}
}

// A line that begins an item: what stands before two blanks is its name.
static void
begin(struct filling *filling, const char *line, size_t length, size_t indent)
{
	const char *gap = memmem(line + indent, length - indent, "  ", 2);
	size_t name = indent;

	end_line(filling);
	if (gap && indent > 0)
		name = (size_t)(gap - line) + strspn(gap, " ");
	filling->is_open = true;
	filling->hang = name;
	printf("%.*s", (int)name, line);
	filling->column = name;
	if (name > indent && name + TEXT_COLUMNS > filling->width) {
		putchar('\n');
		filling->hang = filling->column = indent + 2;
		printf("%*s", (int)filling->hang, "");
	}
	put_words(filling, line + name, length - name);
}

static void
put_line(struct filling *filling, const char *line, size_t length)
{
	size_t indent = strspn(line, " ");

	if (length == 0) {
		end_line(filling);
		putchar('\n');
	} else if (filling->is_open && indent == filling->hang) {
		put_words(filling, line + indent, length - indent);
	} else {
		begin(filling, line, length, indent);
	}
}

void
help_print(const char *text)
{
	struct filling filling = {.width = term_width()};

	if (filling.width == 0 || longest_line(text) <= filling.width) {
		fputs(text, stdout);
		return;
	}
	while (*text) {
		size_t length = strcspn(text, "\n");
		put_line(&filling, text, length);
		text += length + (text[length] == '\n');
	}
	end_line(&filling);
}

// SPDX-License-Identifier: BSD-2-Clause
// search: finds a searched text, and shows the search. A text without capital letters also matches
// capitals.

#ifndef PMEM_CLI_SEARCH_H
#define PMEM_CLI_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "print/clip.h"

enum { SEARCH_MAX = 60 };

struct search {
	char text[SEARCH_MAX + 1]; // "" if nothing is searched
	bool is_typing; // true while the user types the text
};

// Returns true if the search's text is in `text`.
bool search_is_in(const char *text, const char *search);

// Takes a key while the user types. Returns true if it has changed the text.
bool search_type(struct search *search, int key);

// Adds a line like "search order: 3 of 120 sources, live 3.4 MiB".
void search_draw(const struct search *search, uint64_t found, uint64_t all, const char *of,
	uint64_t live, struct clip *clip);

#endif

// SPDX-License-Identifier: BSD-2-Clause
// anonymous: stand-ins for words that say whose log it is: paths, arguments, names of hosts, threads
// and labels. A path is replaced part by part, so that its form stays: folders, and the ending of the
// file's name. A part has the same stand-in wherever it stands: /srv/shop/app.py is /srv/n1/n2.py.
//
// Names that every machine has stay, because the reader judges by them. These are the folders of a
// distribution, and the files of the C library, of allocators and interpreters. Nothing else stays.

#ifndef PMEM_EXPORT_ANONYMOUS_H
#define PMEM_EXPORT_ANONYMOUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// Writes the stand-in of a word that has nothing to do with a file: a host's, a thread's or a label's
// name. The absence of a name, `-`, stays.
void anonymous_word(FILE *to, const char *word, size_t length);

// Writes the stand-in of a path, or of any other word, which is a path of one part.
void anonymous_path(FILE *to, const char *path, size_t length);

// Writes the name of code made at run time, with a stand-in for the path in it. A perf map or a jitdump has
// such names: V8's `JS:*handler /srv/app.js:12:3`, CPython's `py::handler:/srv/app.py`.
void anonymous_code(FILE *to, const char *name, size_t length);

// Returns true if the name is surely that of a function alone: it has no path and no file's name.
bool anonymous_is_function(const char *name, size_t length);

#endif

// SPDX-License-Identifier: BSD-2-Clause
// trail: the callers at the end of an entry whose stack the file already has. The trail is for people
// who read a log; a reader uses the stack.
//
// Who may call: the one thread that writes a snapshot. Never allocates.

#ifndef PMEM_TRAIL_H
#define PMEM_TRAIL_H

enum { TRAIL_BYTES = 100 }; // upper bound of the list's characters

struct source;
struct text;

// Writes the callers, innermost first, up to main(), to what starts a program or a thread, or to
// TRAIL_BYTES characters: " < FUNCTION < FILE+0xOFFSET < +0xOFFSET".
void trail_write(struct text *text, const struct source *source);

#endif

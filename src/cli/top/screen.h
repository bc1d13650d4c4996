// SPDX-License-Identifier: BSD-2-Clause
// screen: the whole terminal, for what is drawn again and again, and the keys pressed.
//
// While it is open the terminal shows the other screen, keys come one by one and unseen,
// and what is written to standard error is kept for afterwards. All is as it was before
// when it is closed, when the process ends by exit() or die(), and when SIGHUP, SIGINT,
// SIGQUIT or SIGTERM ends it; while SIGTSTP has stopped it, too. SIGCONT brings the
// screen back.

#ifndef PMEM_CLI_SCREEN_H
#define PMEM_CLI_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

// Whether standard input and output are a terminal that can do this.
bool screen_is_possible(void);

void screen_open(void);
void screen_close(void);

// The next key (enum key), or what else happened within so many milliseconds.
int screen_key(int timeout_ms);

// Columns and rows, at least 1.
void screen_size(unsigned *columns, unsigned *rows);

// Shows the lines, each with a '\n', from the top; as many as there are rows. They must
// be no wider than the screen.
void screen_show(const char *lines, size_t length);

// The last line that went to standard error since the screen was opened; "": none.
const char *screen_said(void);

#endif

// SPDX-License-Identifier: BSD-2-Clause
// screen: takes over the whole terminal for repeated drawing, and reads the keys pressed.
//
// While it is open, the terminal shows the alternate screen, and keys arrive one by one without
// echo. Standard error is kept for later. screen_close() restores all. So do exit() and die(), and
// SIGHUP, SIGINT, SIGQUIT or SIGTERM when they end the process. SIGTSTP restores all while the
// process is stopped, and SIGCONT brings the screen back.

#ifndef PMEM_CLI_SCREEN_H
#define PMEM_CLI_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

// Returns true if standard input and output are a terminal that can do this.
bool screen_is_possible(void);

void screen_open(void);
void screen_close(void);

// Returns the next key (enum key), or an event, within timeout_ms milliseconds.
int screen_key(int timeout_ms);

// Sets the terminal's columns and rows, each at least 1.
void screen_size(unsigned *columns, unsigned *rows);

// Shows the lines, each ended by '\n', from the top, as many as there are rows. They must be no
// wider than the screen.
void screen_show(const char *lines, size_t length);

// Returns the last line written to standard error since the screen was opened, or "".
const char *screen_said(void);

#endif

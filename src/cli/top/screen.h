// SPDX-License-Identifier: BSD-2-Clause
// screen: uses the whole terminal for drawings that replace each other, and reads keys.
//
// From screen_open() on, the terminal shows its alternate screen, and keys arrive one by one
// without echo. Messages on standard error are kept for later. screen_close() restores the terminal
// and standard error. exit() and die() restore both, too. SIGHUP, SIGINT, SIGQUIT and SIGTERM
// restore both before they end the process. SIGTSTP restores the terminal while the process is
// stopped, and SIGCONT brings the screen back.

#ifndef PMEM_CLI_SCREEN_H
#define PMEM_CLI_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

// Returns true if standard input and output are terminals, and TERM names one that can be
// controlled.
bool screen_is_possible(void);

void screen_open(void);
void screen_close(void);

// Returns the next key or event (enum key). Returns KEY_NONE if nothing comes within timeout_ms.
int screen_key(int timeout_ms);

// Sets *columns and *rows to the terminal's size; each is at least 1.
void screen_size(unsigned *columns, unsigned *rows);

// Shows the lines from the screen's top on. Lines below the screen's last row are not shown. Each
// line ends with '\n' and must be no wider than the screen.
void screen_show(const char *lines, size_t length);

// Returns the last line written to standard error since screen_open(), or "" if nothing was
// written.
const char *screen_said(void);

#endif

// tool: installed programs that we run, and what of our environment is for them.

#ifndef PMEM_CLI_TOOL_H
#define PMEM_CLI_TOOL_H

// The path of a program that PATH leads to, by absolute directories; to be freed. NULL: there
// is none.
char *tool_find(const char *program);

// The environment without LD_PRELOAD, in the C locale, and with no server to ask for debug files;
// to be freed.
char **tool_environment(void);

#endif

// help: the text of a subcommand's help, as wide as the terminal.

#ifndef PMEM_CLI_HELP_H
#define PMEM_CLI_HELP_H

// To standard output. On a terminal that is narrower than the text, paragraphs and what stands
// beside an option are filled anew; otherwise lines are as they are.
void help_print(const char *text);

#endif

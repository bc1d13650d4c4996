// call: what there is at one address of a program: the function, and what was inlined there.

#ifndef PMEM_CLI_CALL_H
#define PMEM_CLI_CALL_H

struct call {
	const char *function; // demangled; "": not known; "(inlined)": not known, but not the last
	const char *file;     // "": not known
	unsigned line;        // 0: not known
};

// The function inlined innermost, then what it is inlined into; the last is the function that
// the code is in. At least one.
struct symbolized {
	struct call *calls;
	unsigned count;
};

#endif

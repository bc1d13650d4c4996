// sandbox: the filters of system calls (seccomp) that the program puts upon itself, and whether
// they let a call of ours pass.
//
// A filter may end the process for a call that it does not list, or answer it with an error.
// It cannot be asked which; but it is a program of a few hundred instructions that the host
// hands to the kernel, and so it can be run beforehand: sys.h does so before each call of ours,
// and makes none that the kernel would not let through.
//
// Who may call: sandbox_learn() and those behind it, the thread that is about to hand a filter to
// the kernel; sandbox_lets(), any thread, at any moment. Allocates pages of its own alone.
// What cannot be learnt is taken for a filter that lets nothing through. Filters that were there
// when the program began are not known.

#ifndef PMEM_SANDBOX_H
#define PMEM_SANDBOX_H

#include <stdbool.h>
#include <linux/filter.h>

struct sandbox;

// A copy of the filter. NULL: the kernel will not be able to read it, either.
struct sandbox *sandbox_learn(const struct sock_fprog *program);

// The one that lets nothing through (SECCOMP_SET_MODE_STRICT).
struct sandbox *sandbox_strict(void);

// Whether the kernel would carry out the call under this filter.
bool sandbox_lets(const struct sandbox *sandbox, long number, const long arguments[6]);

// From here on no call of ours is made that it does not let through.
void sandbox_enter(struct sandbox *sandbox);

// The kernel did not take it.
void sandbox_leave(struct sandbox *sandbox);

#endif

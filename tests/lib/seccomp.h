// seccomp: a filter of system calls that a test makes for itself, rule by rule.

#ifndef TESTS_SECCOMP_H
#define TESTS_SECCOMP_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct sock_filter seccomp_rules[256];
static unsigned short seccomp_length;

static inline void
seccomp_begin(void)
{
	seccomp_length = 0;
	seccomp_rules[seccomp_length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0);
}

static inline void
seccomp_rule(long number, unsigned action)
{
	seccomp_rules[seccomp_length++]
		= (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1);
	seccomp_rules[seccomp_length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
}

// For calls with this first argument alone, as an int.
static inline void
seccomp_rule_of(long number, int argument, unsigned action)
{
	const struct sock_filter rules[] = {
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 4),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)argument, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	};
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		seccomp_rules[seccomp_length++] = rules[i];
}

// For all other calls. Returns the filter, which holds for nobody yet.
static inline struct sock_fprog
seccomp_program(unsigned action)
{
	seccomp_rules[seccomp_length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
	return (struct sock_fprog){seccomp_length, seccomp_rules};
}

// Does the same. Then the filter holds; by prctl(), or by a system call of its own.
static inline bool
seccomp_end(unsigned action, bool by_call)
{
	struct sock_fprog program = seccomp_program(action);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return false;
	if (by_call)
		return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

#endif

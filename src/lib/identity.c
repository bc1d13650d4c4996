#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/utsname.h>

#include "sys.h"
#include "text.h"
#include "identity.h"

enum {
	WORD_MAX = 512, // characters of a name
};

// As it was at the start, or at the first snapshot of a fork's child.
static struct {
	bool namespace_known;
	char host[sizeof(((struct utsname *)0)->nodename)];
	uint64_t pid_namespace;
} state;

static void
know_host(void)
{
	struct utsname name;
	if (sys_call2(SYS_uname, (long)&name, 0) == 0)
		memcpy(state.host, name.nodename, sizeof(state.host) - 1);
}

// A child may be in another namespace than its parent.
static void
know_pid_namespace(void)
{
	char link[64] = "";
	// "pid:[4026531836]"
	sys_call4(SYS_readlinkat, AT_FDCWD, (long)"/proc/self/ns/pid", (long)link,
		sizeof(link) - 1);
	state.pid_namespace = 0;
	for (const char *at = link; *at; at++) {
		if (*at >= '0' && *at <= '9')
			state.pid_namespace = state.pid_namespace * 10 + (uint64_t)(*at - '0');
	}
	state.namespace_known = true;
}

void
identity_start(void)
{
	know_host();
	know_pid_namespace();
}

void
identity_fork(void)
{
	state.namespace_known = false;
}

void
identity_know(void)
{
	if (!state.namespace_known)
		know_pid_namespace();
}

void
identity_write(struct text *text)
{
	text_string(text, " host=");
	text_word(text, state.host[0] ? state.host : "-", WORD_MAX);
	text_string(text, " pidns=");
	text_number(text, state.pid_namespace);
}

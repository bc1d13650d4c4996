// faults: a test that dies of a signal, on whatever stack, says where it was, and leaves no core.

#ifndef TESTS_FAULTS_H
#define TESTS_FAULTS_H

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static const char *faults_place; // what is under way

static void
faults_end(int number)
{
	char text[100];
	int length = snprintf(text, sizeof(text), "signal %d: %s\n", number, faults_place);
	if (write(2, text, (size_t)length) < 0)
		_exit(4);
	_exit(3);
}

// From here on; and whoever takes so many seconds dies, too.
static void
faults_catch(unsigned seconds)
{
	static const int numbers[] = {SIGSEGV, SIGBUS, SIGABRT, SIGALRM};
	static char stack[65536];
	stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
	struct sigaction action = {.sa_handler = faults_end, .sa_flags = SA_ONSTACK};

	sigaltstack(&alternate, NULL);
	for (int i = 0; i < 4; i++)
		sigaction(numbers[i], &action, NULL);
	alarm(seconds);
}

#endif

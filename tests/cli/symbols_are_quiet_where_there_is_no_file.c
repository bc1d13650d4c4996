// What is no file (the vdso, memory, another process's) or is gone is not opened, and not
// complained about while the log has the names; where it lacks one, what is gone is told; what is
// there but is no program is told once, whatever it is; a pipe is not waited for.

#include <errno.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "symbols_subject.h"

static struct subject subject;

// A module at the path, with a frame that the log has a name for.
static void
look_up(void *context)
{
	const char *path = context;
	struct module module = {.start = 0x1000, .end = 0x9000, .build_id = "", .path = path};
	struct frame frame = {.address = 0x2000, .module = &module, .function = "named", .offset = 4};
	struct frame *pointer = &frame;

	symbols_resolve(&pointer, 1);
	CHECK(frame.symbolized->count == 1);
	CHECK(strcmp(frame.symbolized->calls[0].function, "named") == 0);
	frame.symbolized = NULL;
	symbols_resolve(&pointer, 1);
}

// Gone, but what is there now has its build-id.
static void
look_up_deleted(void *context)
{
	struct frame frame = subject_frame(&subject, subject.where[METHOD]);
	struct frame *pointer = &frame;
	char path[PATH_MAX + 16];

	snprintf(path, sizeof(path), "%s (deleted)", subject.path);
	subject.module.path = path;
	subject.module.build_id = context;
	symbols_resolve(&pointer, 1);
	const char *name = frame.symbolized->calls[0].function;
	CHECK(strcmp(name, strcmp(context, SUBJECT_ID) == 0 ? "shop::Basket<int>::add(int const&)"
		: "") == 0);
}

// A device may do something when it is opened: nothing below /dev is, though a process has it.
static void
look_up_device(void *context)
{
	struct module module = {.start = 0x1000, .end = 0x9000, .build_id = SUBJECT_ID, .path = context,
		.pid = getpid()};
	struct frame frame = {.address = 0x2000, .module = &module, .function = "named", .offset = 4};
	struct frame *pointer = &frame;
	symbols_resolve(&pointer, 1);
}

static void
check_devices(void)
{
	char path[64];
	char event[4096];
	int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);

	snprintf(path, sizeof(path), "/dev/shm/pmem-test-%d", getpid());
	int fd = open(path, O_CREAT | O_RDWR, 0600);
	CHECK(fd >= 0 && inotify_add_watch(watch, path, IN_OPEN) >= 0);
	apart(look_up_device, path);
	ssize_t length = read(watch, event, sizeof(event));
	int error = errno;
	unlink(path);
	CHECK(length < 0 && error == EAGAIN);
	close(fd);
	close(watch);
}

static void
look_up_library(void *context)
{
	struct module module = {.start = 0x1000, .end = 0x9000, .build_id = "00", .path = context};
	struct frame frames[] = {
		{.address = 0x2000, .module = &module, .function = "malloc", .is_hook = true},
		{.address = 0x2000, .module = &module, .function = "calloc", .offset = 7},
	};
	struct frame *pointers[] = {&frames[0], &frames[1]};
	symbols_resolve(pointers, 2);
}

int
main(void)
{
	char memory[64];
	int fd = memfd_create("module", 0);

	need("c++filt", "binutils");
	subject_build("here", "");
	subject_load(&subject, "here");
	snprintf(memory, sizeof(memory), "/proc/self/fd/%d", fd);
	const char *quiet[] = {"linux-vdso.so.1", "[vdso]", "[anon]", "(program)", "", "/", "//",
		"/memfd:jit (deleted)", "/dev/zero", "/dev/zero (deleted)", memory, "/nowhere/libx.so",
		"/nowhere/libx.so (deleted)", "server", "./server", "/SYSV00000000 (deleted)"};
	for (size_t i = 0; i < sizeof(quiet) / sizeof(quiet[0]); i++) {
		apart(look_up, (void *)quiet[i]);
		CHECK(errors[0] == '\0');
	}
	run("mkfifo pipe; mkdir dir; echo text >text; : >empty; ln -s loop loop; head -c 64"
		" here/libsubject.so >cut");
	const char *told[] = {"./pipe", "./dir", "./text", "./empty", "./loop", "./cut"};
	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
		apart(look_up, (void *)told[i]);
		printf("%s: %s", told[i], errors);
		// Cut behind its header it is still a file of the kind, without anything in it.
		CHECK(strcmp(told[i], "./cut") == 0 || lines_of(errors) == 1);
	}
	apart(look_up_deleted, (void *)SUBJECT_ID);
	CHECK(errors[0] == '\0');
	apart(look_up_deleted, (void *)"0123");
	CHECK(lines_of(errors) == 1 && strstr(errors, "(deleted): not on this machine"));
	apart(look_up_deleted, (void *)"");
	CHECK(lines_of(errors) == 1 && strstr(errors, "(deleted): not on this machine"));
	check_devices();
	run("cp here/libsubject.so libpmem.so");
	apart(look_up_library, (void *)"./libpmem.so");
	CHECK(errors[0] == '\0');
	return 0;
}

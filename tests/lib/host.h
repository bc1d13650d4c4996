// host: a test is a whole program. Started by the runner it starts itself again under the
// library, in a folder of its own, then reads the log and judges. A test file defines
// host() and check(), and in its first lines may ask for a library built otherwise:
//
//	// pmem: -DPMEM_CHURN_THRESH=1
//
// or to be judged on glibc's allocator and once more on each of the others that are installed,
// which is preloaded behind the library, or alone where that is left out:
//
//	// on each allocator
//
// What both print is shown when the test fails.

#ifndef TESTS_HOST_H
#define TESTS_HOST_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "logfile.h"
#include "tally.h"

// What runs under the library. Its exit status must be 0.
void host(void);

// What must then be so. The log of the host's process has been read and its numbers agree
// with each other; it is empty when there is none.
void check(const struct logfile *log);

// Ends the test as failed unless the condition holds.
#define expect(condition) expect_at(__FILE__, __LINE__, #condition, condition)
void expect_at(const char *file, int line, const char *text, bool holds);

// The same, showing both numbers.
#define expect_equal(a, b) expect_equal_at(__FILE__, __LINE__, #a " == " #b, a, b)
void expect_equal_at(const char *file, int line, const char *text, uint64_t a, uint64_t b);

// Ends the test as skipped.
void skip(const char *needs_package);

// Whether this is root with the rights to be another user, give files away, have another root, and
// make devices. In a container root may have none: a child of check()'s tries them.
bool is_root(void);

// Keeps the compiler from knowing what becomes of a block.
void use(void *block);

// The process id of the host, and its log's path, as check() finds them.
extern pid_t host_pid;
extern char host_log[64];

// The path of the library under test.
const char *host_library(void);

// The path of the allocator beneath; NULL: glibc's. Whether it is the one of this name,
// and whether it has a function itself, and does not leave it to glibc.
const char *host_allocator(void);
bool host_allocator_is(const char *name);
bool host_allocator_has(const char *function);

// Whether the library is built as users build it. One that is not optimized has frames where it
// hands on, and calls the compiler's runtime.
bool host_library_is_optimized(void);

// What /proc/self/status says of this name, in KiB.
uint64_t status_kilobytes(const char *name);

// Reads another log of the host's folder, or that of a process; the test fails when its numbers do not
// agree.
void read_log(struct logfile *log, const char *path);
void read_log_of(struct logfile *log, pid_t process);

// A number that host() leaves to check(), as a child's process id, in a file of this name.
void leave_number(const char *name, uint64_t number);
uint64_t left_number(const char *name);

// How many files in the host's folder have a name that begins so.
int count_files(const char *prefix);

// How many descriptors the calling process has open.
int descriptors_open(void);

// Runs the test's own program again with ROLE in its environment, under the library or not;
// standard output and error go to the file, unless it is NULL. Its wait status; its process
// id is left in again_pid.
extern pid_t again_pid;
int run_again(const char *role, bool with_library, const char *output);
const char *host_role(void);

// The totals of this program under the library when it does nothing: what the allocator
// beneath, and what that is linked to, have asked for themselves.
struct log_counts host_idle_totals(void);

// become() runs the program at this path in place of this one, as exec() does. become_again() runs this
// program anew, with `role` as its ROLE. Both end with status 126 if they fail.
_Noreturn void become(const char *program);
_Noreturn void become_again(const char *role);

// Starts it under the library and goes on; its process id.
pid_t start_again(const char *role);

// As run_again(), with LD_PRELOAD as given; the allocator beneath goes behind that.
int run_preloaded(const char *role, const char *preload, const char *output);

// Makes a program or, with -shared -fPIC among the flags, a library of C text.
void build_c(const char *path, const char *flags, const char *text);

// The whole of a small file as a string.
char *read_file(const char *path);

// A function that is a frame of its own in the log. It must not be static, or it has no name.
#define FRAME __attribute__((noinline))

#endif

// policy: knobs that a library for tests reads at run time, so that one code serves all their values.
//
// Included before each of the library's sources (gcc -include) it takes the place of what config.h
// says of them. With POLICY_VALUES it is the source of the values, of config.h and -D flags, in a
// section of their own, which tests/lib/judge exchanges in a copy of the library. What is of one
// value only, or the size of an array, is no policy.

#ifdef POLICY_VALUES
#include <signal.h>

#include "base/sys.h"
#include "log/log_quota.h"
#endif

#pragma GCC visibility push(hidden)
extern const struct policy {
	unsigned long churn_thresh, begin_bytes, first_bytes, code_map_bytes, max_bytes, folder_bytes;
	long exit_min_churn;
	int hours, at_exit, child_ms, look_ms, signal, show, show_stacks, show_empty, show_threads;
	int keep, files, young_ms, seed, log_command, by_name;
	char fallback_dir[128], programs[128];
} policy;
#pragma GCC visibility pop

#ifdef POLICY_VALUES
__attribute__((section(".policy"))) const struct policy policy = {
	PMEM_CHURN_THRESH, PMEM_LOG_BEGIN_BYTES, PMEM_LOG_FIRST_BYTES, PMEM_CODE_MAP_BYTES,
	PMEM_LOG_MAX_BYTES, PMEM_LOG_FOLDER_BYTES, PMEM_EXIT_MIN_CHURN,
	PMEM_LOG_HOURS, PMEM_SNAPSHOT_AT_EXIT, PMEM_CHILD_MS, PMEM_LOOK_MS, PMEM_SNAPSHOT_SIGNAL,
	PMEM_SHOW, PMEM_SHOW_STACKS, PMEM_SHOW_EMPTY, PMEM_SHOW_THREADS,
	PMEM_LOG_KEEP, PMEM_LOG_FILES, LOG_QUOTA_YOUNG_MS, PMEM_SAMPLE_SEED, PMEM_LOG_COMMAND,
	SYS_BY_NAME,
	PMEM_LOG_FALLBACK_DIR, PMEM_PROGRAMS,
};
#else
#define PMEM_CHURN_THRESH policy.churn_thresh
#define PMEM_LOG_BEGIN_BYTES policy.begin_bytes
#define PMEM_LOG_FIRST_BYTES policy.first_bytes
#define PMEM_CODE_MAP_BYTES policy.code_map_bytes
#define PMEM_LOG_MAX_BYTES policy.max_bytes
#define PMEM_LOG_FOLDER_BYTES policy.folder_bytes
#define PMEM_EXIT_MIN_CHURN policy.exit_min_churn
#define PMEM_LOG_HOURS policy.hours
#define PMEM_SNAPSHOT_AT_EXIT policy.at_exit
#define PMEM_CHILD_MS policy.child_ms
#define PMEM_LOOK_MS policy.look_ms
#define PMEM_SNAPSHOT_SIGNAL policy.signal
#define PMEM_SHOW policy.show
#define PMEM_SHOW_STACKS policy.show_stacks
#define PMEM_SHOW_EMPTY policy.show_empty
#define PMEM_SHOW_THREADS policy.show_threads
#define PMEM_LOG_KEEP policy.keep
#define PMEM_LOG_FILES policy.files
#define LOG_QUOTA_YOUNG_MS policy.young_ms
#define PMEM_SAMPLE_SEED policy.seed
#define PMEM_LOG_COMMAND policy.log_command
#define SYS_BY_NAME policy.by_name
#define PMEM_LOG_FALLBACK_DIR policy.fallback_dir
#define PMEM_PROGRAMS policy.programs

// What is known as late as at run time is not judged when it is compiled.
#define _Static_assert(is_so, why) \
	_Static_assert(__builtin_choose_expr(__builtin_constant_p(is_so), (is_so), 1), why)
#undef __OPTIMIZE__
#endif

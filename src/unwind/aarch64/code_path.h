// SPDX-License-Identifier: BSD-2-Clause
// code_path: finds the caller of a frame in code without call frame information, from the code's
// instructions. musl is built without such information.
//
// Who may call: a thread that holds the guard. Never allocates, never blocks. Reads only the code.
//
// A path leads from a return address to the end of its function. On it the code loads the saved return
// address, and sp becomes the cfa. All paths that are found must lead to the same frame. The function's
// first store of x30 must have been there. A path that no function takes may begin after a call that never
// returns. It leads into another function. The comparison with that store refuses it.

#ifndef PMEM_CODE_PATH_H
#define PMEM_CODE_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/segment.h"

// Where a frame has saved its caller's registers. The cfa is sp, or x29 if `by_fp`, plus `cfa`. `fp` and
// `ra` are offsets from the cfa.
struct code_path_frame {
	bool by_fp;
	bool saves_fp;
	int32_t cfa;
	int32_t fp;
	int32_t ra;
};

enum code_path_result {
	CODE_PATH_UNKNOWN,
	CODE_PATH_FOUND,
	CODE_PATH_NEVER, // the function never returns, such as the one that calls main() and then exit()
};

// Finds the frame of a return address.
enum code_path_result code_path_find(
	const struct segment *code, uintptr_t pc, struct code_path_frame *frame);

#endif

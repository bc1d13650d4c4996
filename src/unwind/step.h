// SPDX-License-Identifier: BSD-2-Clause
// step: includes the processor's step.h.

#ifndef PMEM_UNWIND_STEP_H
#define PMEM_UNWIND_STEP_H

#if defined(__x86_64__)
#include "unwind/x86_64/step.h"
#elif defined(__aarch64__)
#include "unwind/aarch64/step.h"
#endif

#endif

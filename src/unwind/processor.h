// SPDX-License-Identifier: BSD-2-Clause
// processor: what the unwinder knows of the processor. Each processor has a folder, with these files
// under equal names.

#ifndef PMEM_PROCESSOR_H
#define PMEM_PROCESSOR_H

#if defined(__x86_64__) && defined(__LP64__)
#include "unwind/x86_64/registers.h"
#include "unwind/x86_64/rule_word.h"
#elif defined(__AARCH64EL__) && defined(__LP64__)
#include "unwind/aarch64/registers.h"
#include "unwind/aarch64/rule_word.h"
#else
#error "The unwinder has no folder for this processor (processor.sh)."
#endif

#endif

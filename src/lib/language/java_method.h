// SPDX-License-Identifier: BSD-2-Clause
// java_method: HotSpot's data of a method: its name, class and file, and the line of an
// instruction.
//
// Who may call: as in interpreter.h, for methods on the caller's own stack. These are not unloaded
// meanwhile.

#ifndef PMEM_JAVA_METHOD_H
#define PMEM_JAVA_METHOD_H

#include <stdbool.h>
#include <stdint.h>

#include "stacks/script_line.h"

// Returns the index of an instruction of a method, given its address. Negative if it is not in the
// method.
int32_t java_method_bytecode(uintptr_t method, uintptr_t instruction);

// Returns true for methods that the machine makes for itself, as for a lambda. Java leaves them out
// of its own traces.
bool java_method_is_hidden(uintptr_t method);

// Returns the line, or 0 if it is not known, as for native methods.
uint32_t java_method_line(uintptr_t method, int32_t bytecode);

// Returns what distinguishes an interpreted method from any later one at the same address. It
// includes its class's name and its lines.
uint64_t java_method_id(uintptr_t method);

// Returns a hash: methods with different java_method_words() have the same hash only by chance.
uint64_t java_method_hash(uintptr_t method);

// Writes the method's file, with the folder of its package, and its name in its class:
// `com/acme/Order.java`, `Order$Line.total`. Without a file's name, it writes the name of the
// class.
void java_method_words(uintptr_t method, struct script_line_words *words);

#endif

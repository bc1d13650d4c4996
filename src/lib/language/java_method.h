// SPDX-License-Identifier: BSD-2-Clause
// java_method: HotSpot's data of a method: its name, class and file, and the line of an
// instruction.
//
// Who may call: as in interpreter.h, for methods on the caller's own stack. HotSpot does not unload
// a method that is on a thread's stack.

#ifndef PMEM_JAVA_METHOD_H
#define PMEM_JAVA_METHOD_H

#include <stdbool.h>
#include <stdint.h>

#include "stacks/script_line.h"

// Returns the index of the instruction at an address, counted from the method's start. Negative if
// the address is not in the method.
int32_t java_method_bytecode(uintptr_t method, uintptr_t instruction);

// Returns true for methods that the virtual machine makes for its own use, for instance for a
// lambda. Java leaves these methods out of its own traces.
bool java_method_is_hidden(uintptr_t method);

// Returns the line of the instruction at index `bytecode`. Returns 0 if the line is not known, as
// for native methods.
uint32_t java_method_line(uintptr_t method, int32_t bytecode);

// Returns a number that differs between a method and a later method at the same address. The number
// is made from the address, the class's name, the size and the first line.
uint64_t java_method_id(uintptr_t method);

// Returns a hash of what java_method_words() writes. Different texts have the same hash only by
// chance.
uint64_t java_method_hash(uintptr_t method);

// Writes the method's file with the folder of its package, `com/acme/Order.java`. Also writes the
// name of the class, and after it the method's, `Order$Line.total`. If the file is not known,
// writes the name of the class instead.
void java_method_words(uintptr_t method, struct script_line_words *words);

#endif

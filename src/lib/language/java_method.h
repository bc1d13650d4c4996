// SPDX-License-Identifier: BSD-2-Clause
// java_method: what HotSpot knows of a method: its name, class and file, and the line of an instruction.
//
// Who may call: as interpreter.h, for methods on its own stack: they are not unloaded meanwhile.

#ifndef PMEM_JAVA_METHOD_H
#define PMEM_JAVA_METHOD_H

#include <stdbool.h>
#include <stdint.h>

#include "stacks/script_line.h"

// Which instruction of a method one is, by its address in it. Negative: none is known.
int32_t java_method_bytecode(uintptr_t method, uintptr_t instruction);

// Whether it is one of those that the machine makes for itself, as for a lambda, and that Java leaves
// out of its own traces.
bool java_method_is_hidden(uintptr_t method);

// 0: it is not known, as of native methods.
uint32_t java_method_line(uintptr_t method, int32_t bytecode);

// What tells an interpreted method from any other that may come to lie where it is: its class's name and
// its lines, too.
uint64_t java_method_id(uintptr_t method);

// No two methods of which java_method_words() says something else have the same, but by chance.
uint64_t java_method_hash(uintptr_t method);

// Its file with the folder that its package has, and its name in its class:
// `com/acme/Order.java`, `Order$Line.total`. Without a file's name, that of the class.
void java_method_words(uintptr_t method, struct script_line_words *words);

#endif

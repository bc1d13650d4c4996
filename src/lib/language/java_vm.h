// SPDX-License-Identifier: BSD-2-Clause
// java_vm: finds where HotSpot, the virtual machine of OpenJDK 17, keeps its data about methods
// that a thread runs. For debuggers HotSpot publishes tables with the addresses and offsets of its
// data (vmStructs.hpp: gHotSpotVMStructs and gHotSpotVMTypes). Some offsets are not in the tables,
// for example an interpreted frame's. They are the same in each build of a version. So only version
// 17 is accepted, and only if HotSpot's code and names are found where the tables say.
//
// Who may call: as in interpreter.h.

#ifndef PMEM_JAVA_VM_H
#define PMEM_JAVA_VM_H

#include <stdint.h>

#include "language/interpreter.h"

// Where HotSpot has its data. The variables' addresses come first. All other fields are offsets or
// sizes, in bytes. Types are named as in HotSpot.
struct java_vm {
	// Addresses of variables.
	uint64_t major, heaps, code_low, code_high, interpreter, call_stub_return, symbols;
	// Fields of GrowableArray<CodeHeap*>, CodeHeap, VirtualSpace (a CodeHeap has two) and
	// HeapBlock.
	uint64_t array_length, array_data;
	uint64_t heap_memory, heap_segments, heap_segment_bits, space_low, space_high;
	uint64_t block_bytes, block_used; // size of HeapBlock, which precedes the code; its `_used`
	// Fields of StubQueue.
	uint64_t queue_begin, queue_bytes;
	// Fields of CodeBlob, CompiledMethod and nmethod.
	uint64_t code_name, code_begin, code_end, code_frame_words;
	uint64_t code_method, code_scopes, code_deopt, code_deopt_mh;
	uint64_t code_metadata, code_places, code_places_end, code_orig_pc, code_id;
	// Fields of PcDesc, and its size.
	uint64_t place_pc, place_scope, place_bytes;
	// Fields of Method, ConstMethod, ConstantPool, Klass and Symbol.
	uint64_t method_const, method_flags;
	uint64_t const_pool, const_flags, const_code_bytes, const_name, const_bytes;
	uint64_t pool_holder, pool_file, pool_bytes;
	uint64_t class_name;
	uint64_t symbol_length, symbol_body;
	// Fields of JavaCallWrapper and JavaFrameAnchor.
	uint64_t wrapper_anchor, anchor_sp, anchor_pc, anchor_fp;
};

// Written once, before the first frame is read.
extern struct java_vm java_vm;

// The log's text if no lines of Java are shown.
extern const char java_vm_unknown[];

// Finds the tables. Returns NULL if they were found; otherwise a text for the log.
const char *java_vm_open(const struct dynsym *symbols);

// Sets all fields of java_vm from the tables. While the tables are still empty, returns
// INTERPRETER_UNSURE.
enum interpreter_verdict java_vm_read(void);

// Returns the characters of a Symbol, HotSpot's string, and stores their length. The characters are
// UTF-8, except for the character 0.
const char *java_vm_text(uintptr_t symbol, uint32_t *length);

#endif

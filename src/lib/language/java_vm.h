// SPDX-License-Identifier: BSD-2-Clause
// java_vm: where HotSpot, the virtual machine of OpenJDK 17, keeps what tells which methods a thread
// runs: in the tables that it publishes for debuggers (vmStructs.hpp: gHotSpotVMStructs and
// gHotSpotVMTypes). What these leave out, as where an interpreted frame keeps what, is the same in each
// build of a version: so 17 alone is believed, once its code and its names are seen to lie as they say.
//
// Who may call: as interpreter.h.

#ifndef PMEM_JAVA_VM_H
#define PMEM_JAVA_VM_H

#include <stdint.h>

#include "language/interpreter.h"

// All are offsets in bytes but those of the first group. The names are HotSpot's.
struct java_vm {
	// Addresses of variables.
	uint64_t major, heaps, code_low, code_high, interpreter, call_stub_return, symbols;
	// GrowableArray<CodeHeap*>, CodeHeap, its two VirtualSpaces, and HeapBlock.
	uint64_t array_length, array_data;
	uint64_t heap_memory, heap_segments, heap_segment_bits, space_low, space_high;
	uint64_t block_bytes, block_used; // of HeapBlock, before what is in it
	// StubQueue.
	uint64_t queue_begin, queue_bytes;
	// CodeBlob, CompiledMethod, nmethod.
	uint64_t code_name, code_begin, code_end, code_frame_words;
	uint64_t code_method, code_scopes, code_deopt, code_deopt_mh;
	uint64_t code_metadata, code_places, code_places_end, code_orig_pc, code_id;
	// PcDesc.
	uint64_t place_pc, place_scope, place_bytes;
	// Method, ConstMethod, ConstantPool, Klass, Symbol.
	uint64_t method_const, method_flags;
	uint64_t const_pool, const_flags, const_code_bytes, const_name, const_bytes;
	uint64_t pool_holder, pool_file, pool_bytes;
	uint64_t class_name;
	uint64_t symbol_length, symbol_body;
	// JavaCallWrapper, JavaFrameAnchor.
	uint64_t wrapper_anchor, anchor_sp, anchor_pc, anchor_fp;
};

// Written once, before the first frame is read.
extern struct java_vm java_vm;

// Why there are no lines, for the log.
extern const char java_vm_unknown[];

// Finds the tables. NULL: they are there; else why not.
const char *java_vm_open(const struct dynsym *symbols);

// Finds in them all of java_vm.
enum interpreter_verdict java_vm_read(void);

// A Symbol, HotSpot's string, UTF-8 but for the character 0: its length in *length.
const char *java_vm_text(uintptr_t symbol, uint32_t *length);

#endif

// SPDX-License-Identifier: BSD-2-Clause
// version: which pmem this is. The library tells it in its log's header, the reader by --version and
// in the manual, a package in its name. A new one has its entry in NEWS, and a manual made anew.

#ifndef PMEM_VERSION_H
#define PMEM_VERSION_H

#define PMEM_VERSION "0.1.0"
#define PMEM_DATE "2026-11-28" // of that version

#endif

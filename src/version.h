// SPDX-License-Identifier: BSD-2-Clause
// version: which pmem this is. The library writes the version in its log's header. The reader
// prints it for --version and in the manual page. A package has it in its name. A new version needs
// an entry in NEWS, and a manual page made anew.

#ifndef PMEM_VERSION_H
#define PMEM_VERSION_H

#define PMEM_VERSION "0.1.0"
#define PMEM_DATE "2026-11-28" // the day of this version

#endif

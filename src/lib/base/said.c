// SPDX-License-Identifier: BSD-2-Clause

#include "base/said.h"

__thread struct said said;

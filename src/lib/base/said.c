// SPDX-License-Identifier: BSD-2-Clause

#include "said.h"

__thread struct said said;

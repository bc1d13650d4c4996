// SPDX-License-Identifier: BSD-2-Clause

#include "base/thread_state.h"

__thread struct thread_state thread_state;

#include "said.h"

__thread struct said said;

#include "makelog.h"

// unit: a test of one module, linked with the library's sources but hooks and process.

#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define expect(condition) \
	((condition) ? (void)0 \
		     : (fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #condition), exit(1)))

#endif

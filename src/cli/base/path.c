#include <string.h>
#include <sys/stat.h>

#include "base/path.h"

const char *
path_last(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

bool
path_is_same_file(const char *a, const char *b)
{
	struct stat one;
	struct stat other;
	return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev
		&& one.st_ino == other.st_ino;
}

// SPDX-License-Identifier: BSD-2-Clause

#include <errno.h>
#include <stddef.h>

#include "base/text.h"
#include "base/refusal.h"

static const struct {
	int error;
	char words[32];
} place_errors[] = {
	{ELOOP, "is a symbolic link"},
	{EISDIR, "is a directory"},
	{ENXIO, "is a FIFO or a socket"},
	{ENODEV, "is a device"},
	{EACCES, "Permission denied"},
	{EPERM, "Operation not permitted"},
	{EROFS, "Read-only file system"},
	{ENOENT, "No such file or directory"},
	{ENOTDIR, "Not a directory"},
	{ENAMETOOLONG, "File name too long"},
	{ESTALE, "its folder is another by now"},
};

bool
refusal_is_of_place(struct refusal *refusal, long error)
{
	for (size_t i = 0; i < sizeof(place_errors) / sizeof(*place_errors); i++) {
		if (place_errors[i].error == -error) {
			*refusal = (struct refusal){.before = place_errors[i].words, .after = ""};
			return true;
		}
	}
	refusal->error = error;
	return false;
}

void
refusal_write(struct text *text, const struct refusal *refusal)
{
	text_string(text, refusal->before);
	if (refusal->has_number)
		text_number(text, refusal->number);
	text_string(text, refusal->after);
}

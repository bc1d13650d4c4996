#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/compose.h"
#include "rows/where.h"
#include "top/clip_step.h"

void
clip_step(struct clip *clip, const struct step *step)
{
	const struct frame *frame = step->frame;
	bool is_logs = frame && frame->function[0] && step->name == frame->function;

	clip_text(clip, step->name);
	if (step->call && step->call->file[0])
		clip_format(clip, " %s:%u", path_last(step->call->file), step->call->line);
	else if ((step->call || is_logs) && step_module(step)[0])
		clip_format(clip, " (%s)", step_module(step));
}

void
clip_where(struct clip *clip, const struct steps *steps)
{
	struct compose text;

	compose_begin(&text);
	where_print(text.to, steps->steps, steps->count);
	char *where = compose_end(&text);
	const char *word = step_word(&steps->steps[0]);
	clip_text(clip, where);
	if (word[0])
		clip_format(clip, "  %s", word);
	free(where);
}

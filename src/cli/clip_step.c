#include <string.h>

#include "where.h"
#include "clip_step.h"

static const char *
last_component(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

void
clip_step(struct clip *clip, const struct step *step)
{
	const struct frame *frame = step->frame;
	bool is_function = step->call || (frame && frame->function[0] && step->name == frame->function);

	clip_text(clip, step->name);
	if (step->call && step->call->file[0])
		clip_format(clip, " %s:%u", last_component(step->call->file), step->call->line);
	else if (is_function && step_module(step)[0])
		clip_format(clip, " (%s)", step_module(step));
}

void
clip_where(struct clip *clip, const struct steps *steps)
{
	size_t index;

	clip_step(clip, steps_where(steps->steps, steps->count, &index));
	while (index-- > 0 && !clip->full) {
		const struct step *caller = &steps->steps[index];
		if (step_is_library(caller))
			continue;
		clip_text(clip, " < ");
		clip_text(clip, caller->name);
	}
}

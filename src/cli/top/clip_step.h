// clip_step: stacks as text on a line (clip.h).

#ifndef PMEM_CLI_CLIP_STEP_H
#define PMEM_CLI_CLIP_STEP_H

#include "print/clip.h"
#include "rows/step.h"

// The function with its file and line, or with its module; or the place, which has its
// module.
void clip_step(struct clip *clip, const struct step *step);

// where_print().
void clip_where(struct clip *clip, const struct steps *steps);

#endif

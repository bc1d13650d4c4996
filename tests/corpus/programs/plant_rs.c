#include "plant.h"

void
planted_by_rust(size_t bytes)
{
	plant(bytes);
}

// Waiting on descriptors with a timeout finer than a millisecond, where the system has it. Pacing
// at gigabit rates needs tens of microseconds.
#pragma once

#include <span>

#include <glib.h>

#include "base/clock.h"

namespace thru {

/// Waits until a descriptor is ready or `nanoseconds` passed; fills `revents`.
void wait_for(std::span<GPollFD> descriptors, Timestamp nanoseconds);

} // namespace thru

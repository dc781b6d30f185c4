// Waiting on descriptors with a timeout finer than a millisecond, where the system has it. Pacing
// at gigabit rates needs tens of microseconds.
#pragma once

#include <span>

#include "base/clock.h"
#include "loop/glib.h"

namespace thru {

/// Once on the thread that will wait: asks the system for precise wake-ups where it can.
void prepare_waiting_thread();

/// Waits until a descriptor is ready or `nanoseconds` passed; fills `revents`. The first
/// `glib_count` are GLib's own, handles on Windows; the others are sockets.
void wait_for(std::span<GPollFD> descriptors, std::size_t glib_count, Timestamp nanoseconds);

} // namespace thru

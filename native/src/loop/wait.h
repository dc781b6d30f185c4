// Waits for descriptors with a timeout finer than a millisecond, if the system has one. Pacing at
// gigabit rates needs tens of microseconds.
#pragma once

#include <span>

#include "base/clock.h"
#include "loop/glib.h"

namespace thru {

/// Call this once on the waiting thread: it requests precise wake-ups if the system supports them.
void prepare_waiting_thread();

/// Waits until a descriptor is ready or `nanoseconds` have passed, and fills `revents`. The first
/// `glib_count` are GLib's own, which are handles on Windows; the others are sockets.
void wait_for(std::span<GPollFD> descriptors, std::size_t glib_count, Timestamp nanoseconds);

} // namespace thru

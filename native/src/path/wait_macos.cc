#include <algorithm>

#include "path/wait.h"

namespace thru {

void prepare_waiting_thread() {}

void wait_for(std::span<GPollFD> descriptors, std::size_t, Timestamp nanoseconds) {
    // Rounded down so that pacing is never late: the loop waits again for the rest.
    constexpr Timestamp kLongestMs = 60'000;
    const auto milliseconds = std::min(nanoseconds / kMillisecond, kLongestMs);
    g_poll(descriptors.data(), static_cast<guint>(descriptors.size()),
           static_cast<gint>(milliseconds));
}

} // namespace thru

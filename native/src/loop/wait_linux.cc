#include <cstddef>
#include <ctime>

#include <poll.h>
#include <sys/prctl.h>

#include "loop/wait.h"

namespace thru {

// GLib guarantees that GPollFD has the layout of pollfd on systems with poll().
static_assert(sizeof(GPollFD) == sizeof(pollfd));
static_assert(offsetof(GPollFD, revents) == offsetof(pollfd, revents));

void prepare_waiting_thread() {
    // Linux may delay timers by 50 us to save wake-ups: too late for pacing at gigabit rates.
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
}

void wait_for(std::span<GPollFD> descriptors, std::size_t, Timestamp nanoseconds) {
    const timespec timeout{static_cast<time_t>(nanoseconds / kSecond),
                           static_cast<long>(nanoseconds % kSecond)};
    const auto forever = nanoseconds > 1'000'000 * kSecond;
    ppoll(reinterpret_cast<pollfd *>(descriptors.data()), descriptors.size(),
          forever ? nullptr : &timeout, nullptr);
}

} // namespace thru

#include "napi/process_end.h"

#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

namespace thru {

namespace {

using Steady = std::chrono::steady_clock;

struct Deadline {
    std::mutex mutex;
    std::condition_variable changed;
    Steady::time_point end;
    int exit_code = 0;
    bool is_watched = false;
};

/// One per process and never destroyed: exit handlers run while a thread waits on it.
Deadline &process_deadline() {
    static auto *const kept = new Deadline;
    return *kept;
}

void watch(Deadline &deadline) {
    std::unique_lock lock(deadline.mutex);
    for (auto end = deadline.end; Steady::now() < end; end = deadline.end) {
        deadline.changed.wait_until(lock, end);
    }
    end_process(deadline.exit_code);
}

} // namespace

void end_process_within(std::chrono::milliseconds patience, int exit_code) {
    Deadline &deadline = process_deadline();
    const std::lock_guard lock(deadline.mutex);
    deadline.end = Steady::now() + patience;
    deadline.exit_code = exit_code;
    if (deadline.is_watched) {
        deadline.changed.notify_one();
        return;
    }
    try {
        std::thread([&deadline] { watch(deadline); }).detach();
        deadline.is_watched = true;
    } catch (const std::system_error &) {
        // The system has no thread left; the next call tries again.
    }
}

} // namespace thru

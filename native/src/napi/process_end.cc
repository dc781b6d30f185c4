#include "napi/process_end.h"

#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

namespace thru {

namespace {

using Steady = std::chrono::steady_clock;

struct Bound {
    std::mutex mutex;
    std::condition_variable moved;
    Steady::time_point end;
    int exit_code = 0;
    bool is_watched = false;
};

/// Of the process, and never destroyed: exit handlers run while a thread waits with it.
Bound &bound() {
    static auto *const kept = new Bound;
    return *kept;
}

void watch(Bound &watched) {
    std::unique_lock lock(watched.mutex);
    for (auto end = watched.end; Steady::now() < end; end = watched.end) {
        watched.moved.wait_until(lock, end);
    }
    end_process(watched.exit_code);
}

} // namespace

void end_process_within(std::chrono::milliseconds patience, int exit_code) {
    Bound &moved = bound();
    const std::lock_guard lock(moved.mutex);
    moved.end = Steady::now() + patience;
    moved.exit_code = exit_code;
    if (moved.is_watched) {
        moved.moved.notify_one();
        return;
    }
    try {
        std::thread([&moved] { watch(moved); }).detach();
        moved.is_watched = true;
    } catch (const std::system_error &) {
        // The system has no thread left; the next call tries again.
    }
}

} // namespace thru

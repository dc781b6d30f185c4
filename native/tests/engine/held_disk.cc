#include "engine/held_disk.h"

namespace thru::test {

/// The pool does one job at a time, and one of its own keeps it busy.
void HeldDisk::hold() {
    {
        const std::lock_guard lock(mutex_);
        held_ = true;
    }
    pool_.post(pool_.make_strand(), {.work =
                                         [this] {
                                             std::unique_lock lock(mutex_);
                                             changed_.wait(lock, [this] { return !held_; });
                                         },
                                     .completion = {}});
}

void HeldDisk::release() {
    const std::lock_guard lock(mutex_);
    held_ = false;
    changed_.notify_all();
}

/// A job that ran before the marker may have let the next one of its strand in behind it.
std::size_t HeldDisk::finish(const std::function<void()> &between) {
    std::size_t all = 0;
    for (bool idle = held_; !idle;) {
        bool reached = false;
        std::size_t others = 0;
        pool_.post(pool_.make_strand(), {.work = [] {}, .completion = [&] { reached = true; }});
        while (!reached) {
            {
                std::unique_lock lock(mutex_);
                changed_.wait(lock, [this] { return completed_; });
                completed_ = false;
            }
            while (pool_.run_completions(0)) {
                const bool before = reached;
                pool_.run_completions(1);
                between();
                others += reached == before ? 1U : 0U;
            }
        }
        idle = others == 0;
        all += others;
    }
    return all;
}

} // namespace thru::test

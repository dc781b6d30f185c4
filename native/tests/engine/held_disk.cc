#include "engine/held_disk.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace thru::test {

HeldDisk::HeldDisk(std::uint64_t disk)
    : HeldDisk(1, {{.lane = DiskLane::Lookup},
                   {.lane = DiskLane::Lookup, .disk = disk},
                   {.lane = DiskLane::Data, .disk = disk},
                   {.lane = DiskLane::Commit, .disk = disk}}) {}

/// A patience of an hour, so that no job counts as hanging while it waits for the test.
HeldDisk::HeldDisk(std::size_t at_once, std::vector<DiskUse> uses)
    : uses_(std::move(uses)), pool_(at_once,
                                    [this] {
                                        const std::lock_guard lock(mutex_);
                                        completed_ = true;
                                        changed_.notify_all();
                                    },
                                    {.job = std::chrono::hours(1)}) {}

/// Blocks the lane with a job, because the pool runs one job per use at a time.
void HeldDisk::hold(DiskLane lane) {
    {
        const std::lock_guard lock(mutex_);
        held_ = lane;
    }
    const auto use = std::ranges::find(uses_.rbegin(), uses_.rend(), lane, &DiskUse::lane);
    pool_.post(pool_.make_strand(), {.work =
                                         [this] {
                                             std::unique_lock lock(mutex_);
                                             changed_.wait(lock, [this] { return !held_; });
                                         },
                                     .completion = {},
                                     .use = *use});
}

void HeldDisk::release() {
    const std::lock_guard lock(mutex_);
    held_.reset();
    changed_.notify_all();
}

/// Repeats until nothing runs: a job before the marker of its use may have released the next job of
/// its strand behind the marker.
std::size_t HeldDisk::finish(const std::function<void()> &between) {
    std::vector<DiskUse> answering;
    std::ranges::copy_if(uses_, std::back_inserter(answering),
                         [this](const DiskUse &use) { return use.lane != held_; });
    std::size_t all = 0;
    for (bool idle = answering.empty(); !idle;) {
        std::size_t reached = 0;
        std::size_t others = 0;
        for (const DiskUse &use : answering) {
            pool_.post(pool_.make_strand(),
                       {.work = [] {}, .completion = [&] { ++reached; }, .use = use});
        }
        while (reached < answering.size()) {
            {
                std::unique_lock lock(mutex_);
                changed_.wait(lock, [this] { return completed_; });
                completed_ = false;
            }
            while (pool_.run_completions(0)) {
                const auto before = reached;
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

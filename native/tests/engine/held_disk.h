// A disk pool that a test controls: it runs one job at a time, when the test says so, or holds it.
// It can also run one job of each lane, so that a lane can be held alone.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "fs/disk_pool.h"

namespace thru::test {

/// Used on one thread, which replaces the loop.
class HeldDisk {
public:
    /// Runs one job at a time.
    HeldDisk() : HeldDisk(DiskPool::kInOrder, {{}}) {}
    /// Runs one job of each lane of this disk at a time.
    explicit HeldDisk(std::uint64_t disk);
    ~HeldDisk() { release(); }

    DiskPool &pool() { return pool_; }

    /// Makes jobs wait, like a disk that does not answer; with lanes, only jobs of `lane`.
    void hold(DiskLane lane = DiskLane::Lookup);
    void release();
    /// Runs all posted jobs that are not held, and the jobs that their completions post. Calls
    /// `between` after each completion. Returns the number of jobs that had a completion.
    std::size_t finish(const std::function<void()> &between = [] {});

private:
    HeldDisk(std::size_t at_once, std::vector<DiskUse> uses);

    /// Uses whose jobs don't wait for each other.
    const std::vector<DiskUse> uses_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<DiskLane> held_;
    bool completed_ = false;
    DiskPool pool_;
};

} // namespace thru::test

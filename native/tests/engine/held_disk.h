// A pool of disk jobs in the hand of a test: one job at a time, done when the test says so, or held
// up; or one of each lane, so that a lane can be held up alone.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "fs/disk_pool.h"

namespace thru::test {

/// Used on one thread, which takes the place of the loop.
class HeldDisk {
public:
    /// One job at a time.
    HeldDisk() : HeldDisk(DiskPool::kInOrder, {{}}) {}
    /// One job at a time of each lane of this disk.
    explicit HeldDisk(std::uint64_t disk);
    ~HeldDisk() { release(); }

    DiskPool &pool() { return pool_; }

    /// Jobs wait from now on, as on a disk that does not answer; with lanes, those of `lane`.
    void hold(DiskLane lane = DiskLane::Lookup);
    void release();
    /// Runs everything that is posted, and what is posted by its ends; nothing of what is held.
    /// `between` is called after each completion.
    /// How many had a completion.
    std::size_t finish(const std::function<void()> &between = [] {});

private:
    HeldDisk(std::size_t at_once, std::vector<DiskUse> uses);

    /// What jobs need that don't wait for each other.
    const std::vector<DiskUse> uses_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<DiskLane> held_;
    bool completed_ = false;
    DiskPool pool_;
};

} // namespace thru::test

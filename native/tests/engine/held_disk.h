// A pool of disk jobs in the hand of a test: one job at a time, done when the test says so, or held
// up.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>

#include "fs/disk_pool.h"

namespace thru::test {

/// Used on one thread, which takes the place of the loop.
class HeldDisk {
public:
    ~HeldDisk() { release(); }

    DiskPool &pool() { return pool_; }

    /// Jobs wait from now on, as on a disk that does not answer.
    void hold();
    void release();
    /// Runs everything that is posted, and what is posted by its ends; nothing while it is held.
    /// `between` is called after each completion.
    /// How many had a completion.
    std::size_t finish(const std::function<void()> &between = [] {});

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool held_ = false;
    bool completed_ = false;
    DiskPool pool_{DiskPool::kInOrder, [this] {
                       const std::lock_guard lock(mutex_);
                       completed_ = true;
                       changed_.notify_all();
                   }};
};

} // namespace thru::test

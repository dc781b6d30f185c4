// std::latch for tests. The one in GCC 12 loses wake-ups on systems without futexes, such as
// Windows: a thread about to sleep misses the last count.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace thru::test {

/// Usable from any thread. May be destroyed once a wait has returned.
class Latch {
public:
    explicit Latch(std::ptrdiff_t expected) : left_(expected) {}

    void count_down() {
        const std::lock_guard lock(mutex_);
        if (--left_ == 0) {
            reached_.notify_all();
        }
    }
    bool try_wait() const {
        const std::lock_guard lock(mutex_);
        return left_ <= 0;
    }
    void wait() const {
        std::unique_lock lock(mutex_);
        reached_.wait(lock, [this] { return left_ <= 0; });
    }
    void arrive_and_wait() {
        count_down();
        wait();
    }

private:
    mutable std::mutex mutex_;
    mutable std::condition_variable reached_;
    std::ptrdiff_t left_;
};

} // namespace thru::test

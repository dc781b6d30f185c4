#include "io/disk_pool.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace thru {

/// Guarded by the pool's mutex.
class DiskPool::Strand {
public:
    std::deque<DiskJob> jobs;
    /// It waits in `ready` or one of its jobs is running.
    bool scheduled = false;
};

struct DiskPool::State {
    std::mutex mutex;
    std::condition_variable work_waits;
    /// Strands with jobs none of which is running; each stands here at most once.
    std::deque<std::shared_ptr<Strand>> ready;
    std::deque<std::function<void()>> completions;
    bool closing = false;

    std::function<void()> on_completion;
    std::vector<std::thread> threads;

    void run();
    void finish(std::shared_ptr<Strand> strand, std::function<void()> completion);
};

void DiskPool::State::run() {
    std::unique_lock lock(mutex);
    for (;;) {
        work_waits.wait(lock, [this] { return closing || !ready.empty(); });
        if (ready.empty()) {
            return;
        }
        std::shared_ptr<Strand> strand = std::move(ready.front());
        ready.pop_front();
        DiskJob job = std::move(strand->jobs.front());
        strand->jobs.pop_front();
        lock.unlock();
        job.work();
        // What the job holds (files, buffers) is let go here, not on the owner's thread.
        job.work = nullptr;
        finish(std::move(strand), std::move(job.completion));
        lock.lock();
    }
}

/// In one step, so that completions of a strand keep its order.
void DiskPool::State::finish(std::shared_ptr<Strand> strand, std::function<void()> completion) {
    bool wake = false;
    {
        const std::lock_guard lock(mutex);
        if (completion) {
            wake = completions.empty();
            completions.push_back(std::move(completion));
        }
        strand->scheduled = !strand->jobs.empty();
        if (strand->scheduled) {
            ready.push_back(std::move(strand));
        }
    }
    if (wake) {
        on_completion();
    }
}

DiskPool::DiskPool(std::size_t threads, std::function<void()> on_completion)
    : state_(std::make_unique<State>()) {
    state_->on_completion = std::move(on_completion);
    state_->threads.reserve(threads);
    for (std::size_t started = 0; started < threads; ++started) {
        state_->threads.emplace_back([state = state_.get()] { state->run(); });
    }
}

DiskPool::~DiskPool() {
    {
        const std::lock_guard lock(state_->mutex);
        state_->closing = true;
    }
    state_->work_waits.notify_all();
    for (std::thread &thread : state_->threads) {
        thread.join();
    }
}

std::shared_ptr<DiskPool::Strand> DiskPool::make_strand() { return std::make_shared<Strand>(); }

void DiskPool::post(const std::shared_ptr<Strand> &strand, DiskJob job) {
    {
        const std::lock_guard lock(state_->mutex);
        strand->jobs.push_back(std::move(job));
        if (strand->scheduled) {
            return;
        }
        strand->scheduled = true;
        state_->ready.push_back(strand);
    }
    state_->work_waits.notify_one();
}

bool DiskPool::run_completions(std::size_t limit) {
    for (std::size_t run = 0;; ++run) {
        std::function<void()> completion;
        {
            const std::lock_guard lock(state_->mutex);
            if (state_->completions.empty()) {
                return false;
            }
            if (run == limit) {
                return true;
            }
            completion = std::move(state_->completions.front());
            state_->completions.pop_front();
        }
        completion();
    }
}

} // namespace thru

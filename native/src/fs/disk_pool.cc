#include "fs/disk_pool.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

namespace thru {

namespace {

/// Threads in all, with those that hang: each costs some kilobytes.
constexpr std::size_t kMostThreads = 64;

} // namespace

/// Guarded by the pool's mutex.
class DiskPool::Strand {
public:
    std::deque<DiskJob> jobs;
    /// It waits in `ready` or one of its jobs is running.
    bool scheduled = false;
};

struct DiskPool::State {
    using Clock = std::chrono::steady_clock;
    using Ready = std::deque<std::shared_ptr<Strand>>;

    const std::size_t enough_threads;
    const Patience patience;
    std::mutex mutex;
    std::condition_variable work_waits;
    /// A job or a thread ended.
    std::condition_variable something_ended;
    /// Strands with jobs none of which is running; each stands here at most once.
    Ready ready;
    std::deque<std::function<void()>> completions;
    /// Empty once the pool is gone.
    std::function<void()> on_completion;
    struct Worker {
        std::thread thread;
        bool over = false;
    };
    /// Also those that are over.
    std::list<Worker> workers;
    /// How many are running.
    std::size_t threads = 0;
    struct Running {
        Clock::time_point begun;
        std::optional<std::uint64_t> disk;
    };
    std::list<Running> running;
    std::size_t ended_jobs = 0;
    bool closing = false;

    static void add_thread(const std::shared_ptr<State> &state);
    void run(Worker &worker);
    /// The first of `ready` whose job may begin.
    Ready::const_iterator next(Clock::time_point now) const;
    void run_job(std::unique_lock<std::mutex> &lock, Ready::const_iterator place);
    void finish(std::shared_ptr<Strand> strand, std::function<void()> completion);
    /// Jobs, of one disk or of all.
    std::size_t hanging(Clock::time_point now,
                        std::optional<std::uint64_t> disk = std::nullopt) const;
    bool needs_thread(Clock::time_point now) const;
};

/// With the mutex held.
void DiskPool::State::add_thread(const std::shared_ptr<State> &state) {
    ++state->threads;
    Worker &worker = state->workers.emplace_back();
    worker.thread = std::thread([state, &worker] { state->run(worker); });
}

void DiskPool::State::run(Worker &worker) {
    std::unique_lock lock(mutex);
    for (;;) {
        Ready::const_iterator place;
        work_waits.wait(lock, [&] {
            place = next(Clock::now());
            return closing || place != ready.end();
        });
        // The thread that it replaced is back.
        const bool too_many = threads > enough_threads + hanging(Clock::now());
        // Reads that must not begin now wait for the threads that hang.
        if (place == ready.end() || too_many) {
            break;
        }
        run_job(lock, place);
    }
    --threads;
    worker.over = true;
    something_ended.notify_all();
    if (!ready.empty()) {
        work_waits.notify_one();
    }
}

DiskPool::State::Ready::const_iterator DiskPool::State::next(Clock::time_point now) const {
    return std::ranges::find_if(ready, [&](const std::shared_ptr<Strand> &strand) {
        const auto &disk = strand->jobs.front().disk;
        return !disk || hanging(now, disk) < kMostHangingOnDisk;
    });
}

void DiskPool::State::run_job(std::unique_lock<std::mutex> &lock, Ready::const_iterator place) {
    std::shared_ptr<Strand> strand = *place;
    ready.erase(place);
    DiskJob job = std::move(strand->jobs.front());
    strand->jobs.pop_front();
    const auto entry = running.insert(running.end(), {.begun = Clock::now(), .disk = job.disk});
    lock.unlock();
    job.work();
    // What the job holds (files, buffers) is let go here, not on the owner's thread.
    job.work = nullptr;
    lock.lock();
    const bool hung = Clock::now() - entry->begun >= patience.job;
    running.erase(entry);
    ++ended_jobs;
    if (hung) {
        // Other jobs of its disk may begin now.
        work_waits.notify_all();
    }
    finish(std::move(strand), std::move(job.completion));
    something_ended.notify_all();
}

/// In one step, so that completions of a strand keep its order.
void DiskPool::State::finish(std::shared_ptr<Strand> strand, std::function<void()> completion) {
    const bool wake = completion && completions.empty();
    if (completion) {
        completions.push_back(std::move(completion));
    }
    strand->scheduled = !strand->jobs.empty();
    if (strand->scheduled) {
        ready.push_back(std::move(strand));
    }
    if (wake && on_completion) {
        on_completion();
    }
}

std::size_t DiskPool::State::hanging(Clock::time_point now,
                                     std::optional<std::uint64_t> disk) const {
    return static_cast<std::size_t>(std::ranges::count_if(running, [&](const Running &job) {
        return now - job.begun >= patience.job && (!disk || job.disk == disk);
    }));
}

bool DiskPool::State::needs_thread(Clock::time_point now) const {
    return next(now) != ready.end() &&
           threads < std::min(kMostThreads, enough_threads + hanging(now));
}

DiskPool::DiskPool(std::size_t threads, std::function<void()> on_completion, Patience patience)
    : state_(std::make_shared<State>(threads, patience)) {
    state_->on_completion = std::move(on_completion);
    const std::lock_guard lock(state_->mutex);
    while (state_->threads < threads) {
        State::add_thread(state_);
    }
}

DiskPool::~DiskPool() {
    std::unique_lock lock(state_->mutex);
    state_->closing = true;
    state_->work_waits.notify_all();
    auto moved_at = State::Clock::now();
    for (auto ended = state_->ended_jobs; state_->threads > 0;) {
        state_->something_ended.wait_for(lock, state_->patience.job);
        const auto now = State::Clock::now();
        if (std::exchange(ended, state_->ended_jobs) != state_->ended_jobs) {
            moved_at = now;
        }
        if (state_->needs_thread(now)) {
            State::add_thread(state_);
        } else if (now - moved_at >= state_->patience.close) {
            break;
        }
    }
    state_->on_completion = nullptr;
    // What waits is dropped without being begun.
    const auto left = std::exchange(state_->ready, {});
    const auto dropped = std::exchange(state_->completions, {});
    lock.unlock();
    for (State::Worker &worker : state_->workers) {
        if (worker.over) {
            worker.thread.join();
        } else {
            worker.thread.detach();
        }
    }
}

std::shared_ptr<DiskPool::Strand> DiskPool::make_strand() { return std::make_shared<Strand>(); }

void DiskPool::post(const std::shared_ptr<Strand> &strand, DiskJob job) {
    const std::lock_guard lock(state_->mutex);
    strand->jobs.push_back(std::move(job));
    if (strand->scheduled) {
        return;
    }
    strand->scheduled = true;
    state_->ready.push_back(strand);
    state_->work_waits.notify_one();
}

bool DiskPool::waits() const {
    const std::lock_guard lock(state_->mutex);
    return state_->next(State::Clock::now()) != state_->ready.end();
}

bool DiskPool::run_completions(std::size_t limit) {
    for (std::size_t run = 0;; ++run) {
        std::function<void()> completion;
        {
            const std::lock_guard lock(state_->mutex);
            if (state_->needs_thread(State::Clock::now())) {
                State::add_thread(state_);
            }
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

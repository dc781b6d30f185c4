#include "fs/disk_pool.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace thru {

/// Guarded by the pool's mutex.
class DiskPool::Strand {
public:
    std::deque<DiskJob> jobs;
    /// True while it is in the queue of its next job, or a job of it is running.
    bool scheduled = false;
};

struct DiskPool::State {
    using Clock = std::chrono::steady_clock;

    /// Jobs of one lane and disk.
    struct Queue {
        DiskUse use;
        /// Strands without a running job whose next job belongs here.
        std::deque<std::shared_ptr<Strand>> ready;
        /// Start times of the running jobs.
        std::list<Clock::time_point> underway;
    };
    /// A started job, for any thread to take.
    struct Begun {
        std::shared_ptr<Strand> strand;
        Queue *queue = nullptr;
        std::list<Clock::time_point>::iterator underway;
    };
    struct Worker {
        std::thread thread;
        bool over = false;
    };

    const bool in_order;
    const std::size_t at_once;
    const Patience patience;
    std::mutex mutex;
    std::condition_variable job_begun;
    /// Signaled when a job or a thread ends.
    std::condition_variable something_ended;
    /// Queues with jobs.
    std::list<Queue> queues;
    std::deque<Begun> begun;
    /// Number of running jobs per lane.
    std::array<std::size_t, kDiskLanes> in_lane{};
    std::deque<std::function<void()>> completions;
    std::function<void()> on_completion;
    /// Includes threads that have ended.
    std::list<Worker> workers;
    std::size_t threads = 0;
    /// Number of threads with a job.
    std::size_t busy = 0;
    std::size_t ended_jobs = 0;
    bool closing = false;
    /// True once the pool is gone and only threads with hanging jobs remain.
    bool left_alone = false;

    static void work(const std::shared_ptr<State> &state, Worker &worker);

    // These require the mutex.

    void enqueue(std::shared_ptr<Strand> strand);
    std::size_t hanging(const Queue &queue, Clock::time_point now) const;
    bool waits(const Queue &queue, Clock::time_point now) const;
    bool may_begin(const Queue &queue, Clock::time_point now) const;
    std::size_t begin_jobs();
    static void add_threads(const std::shared_ptr<State> &state);
    static bool hand_out(const std::shared_ptr<State> &state);
    static bool run_here(const std::shared_ptr<State> &state, std::unique_lock<std::mutex> &lock);
    void run_job(std::unique_lock<std::mutex> &lock);
    void finish(Begun job, std::function<void()> completion);
};

void DiskPool::State::enqueue(std::shared_ptr<Strand> strand) {
    const DiskUse use = in_order ? DiskUse{} : strand->jobs.front().use;
    auto queue = std::ranges::find(queues, use, &Queue::use);
    if (queue == queues.end()) {
        queue = queues.insert(queue, Queue{.use = use, .ready = {}, .underway = {}});
    }
    queue->ready.push_back(std::move(strand));
}

std::size_t DiskPool::State::hanging(const Queue &queue, Clock::time_point now) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        queue.underway, [&](Clock::time_point since) { return now - since >= patience.job; }));
}

/// True if the queue has jobs that can start after some time, even if no other job ends.
bool DiskPool::State::waits(const Queue &queue, Clock::time_point now) const {
    return !queue.ready.empty() && (!queue.use.disk || hanging(queue, now) < kMaxHangingOnDisk);
}

bool DiskPool::State::may_begin(const Queue &queue, Clock::time_point now) const {
    return waits(queue, now) && queue.underway.size() - hanging(queue, now) < at_once &&
           in_lane[static_cast<std::size_t>(queue.use.lane)] < kMaxInLane;
}

/// Returns the number of started jobs.
std::size_t DiskPool::State::begin_jobs() {
    const auto now = Clock::now();
    const auto before = begun.size();
    for (Queue &queue : queues) {
        while (may_begin(queue, now)) {
            ++in_lane[static_cast<std::size_t>(queue.use.lane)];
            const auto underway = queue.underway.insert(queue.underway.end(), now);
            begun.push_back({std::move(queue.ready.front()), &queue, underway});
            queue.ready.pop_front();
        }
    }
    return begun.size() - before;
}

/// Starts a thread for each job without one. If that fails, other threads or the owner run it.
void DiskPool::State::add_threads(const std::shared_ptr<State> &state) {
    while (!state->left_alone && state->begun.size() > state->threads - state->busy) {
        std::erase_if(state->workers, [](Worker &worker) {
            if (worker.over) {
                worker.thread.join();
            }
            return worker.over;
        });
        Worker &worker = state->workers.emplace_back();
        try {
            worker.thread = std::thread([state, &worker] { work(state, worker); });
            ++state->threads;
        } catch (const std::system_error &) {
            state->workers.pop_back();
            if (state->threads == 0 && state->on_completion) {
                state->on_completion();
            }
            return;
        }
    }
}

/// Gives jobs that may start to threads; returns false if there are none.
bool DiskPool::State::hand_out(const std::shared_ptr<State> &state) {
    const auto jobs = state->begin_jobs();
    for (std::size_t job = 0; job < jobs; ++job) {
        state->job_begun.notify_one();
    }
    add_threads(state);
    return jobs > 0;
}

/// Runs one job on the caller's thread if no thread could be started; false without such a job.
bool DiskPool::State::run_here(const std::shared_ptr<State> &state,
                               std::unique_lock<std::mutex> &lock) {
    if (state->threads == 0) {
        hand_out(state);
    }
    if (state->threads > 0 || state->begun.empty()) {
        return false;
    }
    state->run_job(lock);
    return true;
}

void DiskPool::State::work(const std::shared_ptr<State> &state, Worker &worker) {
    std::unique_lock lock(state->mutex);
    for (;;) {
        // Keep as many idle threads as one disk's jobs can need.
        const bool is_spare = state->threads - state->busy > kDiskLanes * state->at_once;
        if (!is_spare) {
            state->job_begun.wait(lock, [&] { return state->closing || !state->begun.empty(); });
        }
        if (state->begun.empty()) {
            break;
        }
        ++state->busy;
        state->run_job(lock);
        --state->busy;
        // This thread takes the first one itself.
        for (auto jobs = state->begin_jobs(); jobs > 1; --jobs) {
            state->job_begun.notify_one();
        }
        add_threads(state);
    }
    --state->threads;
    worker.over = true;
    state->something_ended.notify_all();
}

void DiskPool::State::run_job(std::unique_lock<std::mutex> &lock) {
    Begun taken = std::move(begun.front());
    begun.pop_front();
    DiskJob job = std::move(taken.strand->jobs.front());
    taken.strand->jobs.pop_front();
    lock.unlock();
    job.work();
    // Release the job's files and buffers here, not on the owner's thread.
    job.work = nullptr;
    lock.lock();
    if (left_alone) {
        // The owner is gone, so jobs behind this one are dropped like the others.
        auto left = std::exchange(taken.strand->jobs, {});
        lock.unlock();
        left.clear();
        lock.lock();
    }
    finish(std::move(taken), std::move(job.completion));
}

/// A single step, so that a strand's completions keep their order.
void DiskPool::State::finish(Begun job, std::function<void()> completion) {
    job.queue->underway.erase(job.underway);
    --in_lane[static_cast<std::size_t>(job.queue->use.lane)];
    ++ended_jobs;
    something_ended.notify_all();
    const bool wake = completion && completions.empty();
    if (completion) {
        completions.push_back(std::move(completion));
    }
    job.strand->scheduled = !job.strand->jobs.empty();
    if (job.strand->scheduled) {
        enqueue(std::move(job.strand));
    }
    std::erase_if(queues,
                  [](const Queue &queue) { return queue.ready.empty() && queue.underway.empty(); });
    if (wake && on_completion) {
        on_completion();
    }
}

DiskPool::DiskPool(std::size_t at_once, std::function<void()> on_completion, Patience patience)
    : state_(std::make_shared<State>(at_once == kInOrder, std::max<std::size_t>(at_once, 1),
                                     patience)) {
    state_->on_completion = std::move(on_completion);
}

DiskPool::~DiskPool() {
    std::unique_lock lock(state_->mutex);
    state_->closing = true;
    state_->job_begun.notify_all();
    auto moved_at = State::Clock::now();
    const auto has_threads = [&] {
        while (State::run_here(state_, lock)) {
        }
        return state_->threads > 0;
    };
    for (auto ended = state_->ended_jobs; has_threads();) {
        state_->something_ended.wait_for(lock, state_->patience.job);
        const auto now = State::Clock::now();
        if (std::exchange(ended, state_->ended_jobs) != state_->ended_jobs) {
            moved_at = now;
        }
        if (!State::hand_out(state_) && now - moved_at >= state_->patience.close) {
            break;
        }
    }
    state_->left_alone = true;
    state_->on_completion = nullptr;
    // Drop all waiting jobs, so that a thread with a hanging job won't run them much later.
    const auto waiting = std::exchange(state_->begun, {});
    std::vector<std::deque<std::shared_ptr<Strand>>> left;
    for (State::Queue &queue : state_->queues) {
        left.push_back(std::exchange(queue.ready, {}));
    }
    const auto dropped = std::exchange(state_->completions, {});
    for (State::Worker &worker : state_->workers) {
        if (worker.over) {
            worker.thread.join();
        } else {
            worker.thread.detach();
        }
    }
    lock.unlock();
}

std::shared_ptr<DiskPool::Strand> DiskPool::make_strand() { return std::make_shared<Strand>(); }

void DiskPool::post(const std::shared_ptr<Strand> &strand, DiskJob job) {
    const std::lock_guard lock(state_->mutex);
    strand->jobs.push_back(std::move(job));
    if (!strand->scheduled) {
        strand->scheduled = true;
        state_->enqueue(strand);
        State::hand_out(state_);
    }
}

bool DiskPool::waits() const {
    const std::lock_guard lock(state_->mutex);
    return std::ranges::any_of(state_->queues, [&](const State::Queue &queue) {
        return state_->waits(queue, State::Clock::now());
    });
}

bool DiskPool::run_completions(std::size_t limit) {
    bool did_job = false;
    {
        std::unique_lock lock(state_->mutex);
        State::hand_out(state_);
        did_job = State::run_here(state_, lock);
    }
    for (std::size_t run = 0;; ++run) {
        std::function<void()> completion;
        {
            const std::lock_guard lock(state_->mutex);
            if (state_->completions.empty()) {
                return did_job;
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

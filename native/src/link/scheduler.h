// Gives turns of the loop to woken and due tasks, and to no others. Network thread only.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/clock.h"

namespace thru {

class Scheduler {
    struct Entry;

public:
    /// Recurring work. Must not outlive the scheduler.
    class Task {
    public:
        /// The first turn is the next one. `turn` returns the time of the task's next turn unless
        /// it is woken earlier: 0 for immediately, kNever for never. It may destroy the task.
        Task(Scheduler &scheduler, std::function<Timestamp(Timestamp now)> turn);
        ~Task();
        Task(const Task &) = delete;
        Task &operator=(const Task &) = delete;

        /// Requests a turn before the loop waits, because of an event that may concern the task.
        void wake();

    private:
        Scheduler &scheduler_;
        std::shared_ptr<Entry> entry_;
    };

    Scheduler() = default;
    ~Scheduler() = default;
    Scheduler(const Scheduler &) = delete;
    Scheduler &operator=(const Scheduler &) = delete;

    /// Gives each woken or due task a turn. Tasks woken meanwhile get theirs in the next run.
    void run(Timestamp now);
    Timestamp deadline() const;
    /// Wakes every task, because the computer slept or a limit changed.
    void wake_all();

private:
    void wake(const std::shared_ptr<Entry> &entry);
    void set_deadline(const std::shared_ptr<Entry> &entry, Timestamp deadline);

    std::unordered_set<std::shared_ptr<Entry>> all_;
    std::vector<std::shared_ptr<Entry>> woken_;
    std::set<std::pair<Timestamp, std::shared_ptr<Entry>>> deadlines_;
};

} // namespace thru

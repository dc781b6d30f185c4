// Who gets a turn of the loop: tasks that something happened to, and those whose time has come.
// Others are not even looked at. Network thread only.
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
    /// What has to be done again and again. Must not outlive the scheduler.
    class Task {
    public:
        /// Its first turn is the next one. `turn` returns when the task gets one without being
        /// woken: 0 when there is more to do at once, kNever for never. It may end the task.
        Task(Scheduler &scheduler, std::function<Timestamp(Timestamp now)> turn);
        ~Task();
        Task(const Task &) = delete;
        Task &operator=(const Task &) = delete;

        /// Something happened that it may have to do with: it gets a turn before the loop waits.
        void wake();

    private:
        Scheduler &scheduler_;
        std::shared_ptr<Entry> entry_;
    };

    Scheduler() = default;
    ~Scheduler() = default;
    Scheduler(const Scheduler &) = delete;
    Scheduler &operator=(const Scheduler &) = delete;

    /// Gives a turn to each task that was woken or whose time has come. Those that are woken
    /// meanwhile get theirs in the next run.
    void run(Timestamp now);
    /// When to run next.
    Timestamp deadline() const;
    /// For what concerns everyone: the computer slept, a limit changed.
    void wake_all();

private:
    void wake(const std::shared_ptr<Entry> &entry);
    void set_deadline(const std::shared_ptr<Entry> &entry, Timestamp deadline);

    std::unordered_set<std::shared_ptr<Entry>> all_;
    std::vector<std::shared_ptr<Entry>> woken_;
    std::set<std::pair<Timestamp, std::shared_ptr<Entry>>> deadlines_;
};

} // namespace thru

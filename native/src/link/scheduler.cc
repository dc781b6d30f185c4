#include "link/scheduler.h"

#include <cassert>

namespace thru {

struct Scheduler::Entry {
    std::function<Timestamp(Timestamp now)> turn;
    Timestamp deadline = kNever;
    bool woken = false;
    bool over = false;
};

Scheduler::Task::Task(Scheduler &scheduler, std::function<Timestamp(Timestamp now)> turn)
    : scheduler_(scheduler), entry_(std::make_shared<Entry>(Entry{.turn = std::move(turn)})) {
    scheduler_.all_.insert(entry_);
    wake();
}

Scheduler::Task::~Task() {
    scheduler_.set_deadline(entry_, kNever);
    scheduler_.all_.erase(entry_);
    entry_->over = true;
}

void Scheduler::Task::wake() { scheduler_.wake(entry_); }

void Scheduler::wake(const std::shared_ptr<Entry> &entry) {
    if (!entry->woken) {
        entry->woken = true;
        woken_.push_back(entry);
    }
}

void Scheduler::wake_all() {
    for (const auto &entry : all_) {
        wake(entry);
    }
}

void Scheduler::set_deadline(const std::shared_ptr<Entry> &entry, Timestamp deadline) {
    if (deadline == entry->deadline) {
        return;
    }
    deadlines_.erase({entry->deadline, entry});
    entry->deadline = deadline;
    if (deadline != kNever) {
        deadlines_.emplace(deadline, entry);
    }
}

void Scheduler::run(Timestamp now) {
    for (const auto &[deadline, entry] : deadlines_) {
        if (deadline > now) {
            break;
        }
        wake(entry);
    }
    for (const auto &entry : std::exchange(woken_, {})) {
        if (entry->over) {
            continue;
        }
        entry->woken = false;
        const auto next = entry->turn(now);
        // An expired deadline that the turn leaves unchanged would keep the loop busy forever.
        assert(entry->over || next == 0 || next > now || next != entry->deadline);
        if (!entry->over) {
            set_deadline(entry, next);
        }
    }
}

Timestamp Scheduler::deadline() const {
    if (!woken_.empty()) {
        return 0;
    }
    return deadlines_.empty() ? kNever : deadlines_.begin()->first;
}

} // namespace thru

#include "engine/share/have_checks.h"

#include <utility>

namespace thru {

HaveChecks::HaveChecks(DiskPool &disk, std::shared_ptr<DiskPool::Strand> strand,
                       std::shared_ptr<const SourceFiles> files, Sender &sender,
                       Scheduler::Task &task)
    : disk_(disk), strand_(std::move(strand)), files_(std::move(files)), sender_(sender),
      lifetime_([&task] { task.wake(); }) {}

void HaveChecks::begin_next() {
    while (!check_ && !claimed_.empty()) {
        const Have have = claimed_.front();
        claimed_.pop_front();
        // Skipped or removed files need no check.
        if (sender_.awaits_check(have.index)) {
            check_ = std::make_shared<HaveCheck>(files_, have);
            step(have.index);
        }
    }
}

void HaveChecks::step(std::uint64_t index) {
    disk_.fetch(
        strand_, lifetime_, {.lane = DiskLane::Lookup, .disk = files_->disk(index)},
        [check = check_] { return check->step(); },
        [this, index](std::optional<HaveCheck::Answer> answer) {
            if (!sender_.awaits_check(index)) {
                end();
            } else if (!answer) {
                step(index);
            } else if (answer->is_part) {
                sender_.confirm_part(index, std::move(answer->different));
                step(index);
            } else if (answer->wants_extents) {
                if (*answer->wants_extents == 0) {
                    request(0);
                }
                wants_extents_ = true;
                give_extents();
            } else {
                end();
                sender_.on_have_checked(index, answer->same, std::move(answer->different));
            }
        });
}

void HaveChecks::request(std::uint64_t offset) {
    sender_.compare(check_->have(), offset);
    requested_ = true;
}

void HaveChecks::take(const Extents &extents) {
    requested_ = false;
    extents_ = extents;
    if (over_) {
        end();
    } else {
        give_extents();
    }
}

/// Also requests the next hashes: comparing these takes longer than a round trip.
void HaveChecks::give_extents() {
    if (!wants_extents_ || !extents_) {
        return;
    }
    wants_extents_ = false;
    const Extents extents = *std::exchange(extents_, std::nullopt);
    std::uint64_t end = extents.offset;
    for (const Extents::Run &run : extents.runs) {
        end += run.length;
    }
    check_->take(extents);
    if (!extents.runs.empty() && end < check_->have().offset) {
        request(end);
    }
    step(extents.index);
}

/// The next check waits for the answer to a COMPARE of this one.
void HaveChecks::end() {
    over_ = requested_;
    if (!over_) {
        check_.reset();
        extents_.reset();
        wants_extents_ = false;
    }
}

} // namespace thru

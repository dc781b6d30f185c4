// Dirty tracking of PartFiles: what was written since the last commit, and the log of it.
#include <algorithm>
#include <utility>

#include "target/part_files.h"

namespace thru {

std::uint64_t PartFiles::failed_commits() const {
    const std::lock_guard lock(mutex_);
    return failed_commits_;
}

void PartFiles::flush_journal() {
    const std::lock_guard lock(mutex_);
    if (journal_ != nullptr) {
        static_cast<void>(journal_->flush());
    }
}

void PartFiles::folder_made(std::string_view above) {
    const std::lock_guard lock(mutex_);
    dirty_folders_.emplace(above);
}

std::set<std::string> PartFiles::take_folders() {
    const std::lock_guard lock(mutex_);
    return std::exchange(dirty_folders_, {});
}

bool PartFiles::add_extent(const std::shared_ptr<LargePart> &part, const Extent &extent,
                           std::uint64_t generation) {
    const std::lock_guard lock(mutex_);
    const auto found = large_.find(part->index);
    if (found == large_.end() || found->second != part) {
        return true;
    }
    part->progress.erase(extent.offset);
    if (generation != failed_commits_ || closed_) {
        return false;
    }
    part->dirty = true;
    part->unsynced.push_back(extent);
    if (const auto slot = slot_locked(part->index)) {
        log(ExtentRecord{.slot = *slot, .extent = extent});
    }
    return true;
}

void PartFiles::add_progress(const std::shared_ptr<LargePart> &part, std::uint64_t begin,
                             std::uint64_t end) {
    const std::lock_guard lock(mutex_);
    const auto slot = slot_locked(part->index);
    const auto found = large_.find(part->index);
    if (!slot || found == large_.end() || found->second != part) {
        return;
    }
    part->dirty = true;
    part->progress[begin] = end;
    log(ProgressRecord{.slot = *slot, .begin = begin, .end = end});
}

void PartFiles::void_progress(const std::shared_ptr<LargePart> &part, std::uint64_t begin) {
    const std::lock_guard lock(mutex_);
    const auto found = part->progress.extract(begin);
    const auto slot = slot_locked(part->index);
    if (found && slot) {
        log(VoidRecord{.slot = *slot, .offset = begin, .length = found.mapped() - begin});
    }
}

void PartFiles::add_hole(const std::shared_ptr<LargePart> &part, std::uint64_t offset,
                         std::uint64_t length) {
    const std::lock_guard lock(mutex_);
    part->dirty = true;
    if (const auto slot = slot_locked(part->index)) {
        log(HoleRecord{.slot = *slot, .offset = offset, .length = length});
    }
}

bool PartFiles::add_batch(Batch batch, std::uint64_t generation) {
    std::vector<Batch::Member> unwanted;
    std::vector<std::shared_ptr<LargePart>> replaced;
    bool counts = true;
    {
        const std::lock_guard lock(mutex_);
        counts = generation == failed_commits_ && !closed_;
        const auto is_unwanted = [&](const Batch::Member &member) {
            return !counts || entries_[member.index].dropped || entries_[member.index].done ||
                   small_.contains(member.index);
        };
        std::ranges::copy_if(batch.members, std::back_inserter(unwanted), is_unwanted);
        if (!unwanted.empty()) {
            batch.complete = false;
            std::erase_if(batch.members, is_unwanted);
        }
        BatchRecord record{.hash = batch.hash};
        for (const Batch::Member &member : batch.members) {
            small_[member.index] = member.part;
            if (const auto found = large_.extract(member.index)) {
                replaced.push_back(found.mapped());
            }
            const auto slot = slot_locked(member.index);
            batch.complete = batch.complete && slot;
            record.members.push_back({.slot = slot.value_or(0),
                                      .part = member.part.number,
                                      .file = member.part.id.number});
        }
        if (batch.complete && !batch.members.empty()) {
            log(record);
        }
        if (!batch.members.empty()) {
            dirty_batches_.push_back(std::move(batch));
        }
    }
    for (const Batch::Member &member : unwanted) {
        discard(member.index, member.part);
    }
    for (const auto &part : replaced) {
        remove_file(*part);
    }
    return counts;
}

void PartFiles::void_extent(std::uint64_t index, const Extent &extent) {
    const std::lock_guard lock(mutex_);
    if (const auto slot = slot_locked(index)) {
        log(VoidRecord{.slot = *slot, .offset = extent.offset, .length = extent.length});
    }
}

PartFiles::DirtyData PartFiles::take_dirty(const std::vector<std::uint64_t> &complete) {
    const std::lock_guard lock(mutex_);
    DirtyData dirty{.last_record = journal_ != nullptr ? journal_->last() : 0,
                    .batches = std::exchange(dirty_batches_, {}),
                    .folders = std::exchange(dirty_folders_, {})};
    const auto add = [&](const std::shared_ptr<LargePart> &part) {
        if (std::exchange(part->dirty, false)) {
            dirty.parts.push_back({.part = part, .extents = std::exchange(part->unsynced, {})});
        }
    };
    if (journal_ != nullptr) {
        for (const auto &[index, part] : large_) {
            add(part);
        }
        return dirty;
    }
    for (const std::uint64_t index : complete) {
        if (const auto found = large_.find(index); found != large_.end()) {
            add(found->second);
        }
    }
    return dirty;
}

void PartFiles::fail_commit(DirtyData &dirty, bool everything) {
    {
        const std::lock_guard lock(mutex_);
        ++failed_commits_;
        if (everything) {
            std::ranges::move(std::exchange(dirty_batches_, {}), std::back_inserter(dirty.batches));
            for (const auto &[index, part] : large_) {
                if (part->dirty) {
                    dirty.parts.push_back({.part = part});
                }
            }
        }
        for (DirtyPart &lost : dirty.parts) {
            lost.part->dirty = false;
            std::ranges::move(std::exchange(lost.part->unsynced, {}),
                              std::back_inserter(lost.extents));
            const auto slot = slot_locked(lost.part->index);
            if (!slot) {
                continue;
            }
            for (const Extent &extent : lost.extents) {
                log(VoidRecord{.slot = *slot, .offset = extent.offset, .length = extent.length});
            }
            for (const auto &[begin, end] : std::exchange(lost.part->progress, {})) {
                log(VoidRecord{.slot = *slot, .offset = begin, .length = end - begin});
            }
        }
    }
    for (const Batch &batch : dirty.batches) {
        for (const Batch::Member &member : batch.members) {
            remove(member.index);
        }
    }
}

} // namespace thru

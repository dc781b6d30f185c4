// Second half of Preparation: resumes from an earlier journal.
#include <algorithm>
#include <utility>

#include "crypto/digest.h"
#include "crypto/random.h"
#include "fs/file_hash.h"
#include "names/part_name.h"
#include "target/preparation.h"
#include "target/publish.h"

namespace thru {

namespace {

/// `bytes` is about the space needed.
Error journal_error(const fs::SystemError &error, std::uint64_t bytes = 0) {
    Error meaning = fs::writing_error(error, "make the journal");
    if (meaning.code == ErrorCode::DiskFull) {
        meaning.cause = kRoomForFolders + static_cast<std::int64_t>(bytes);
    }
    return meaning;
}

Result<JournalHeader> new_header(const ReceiveFolder::State &state) {
    const auto volume = fs::volume_facts(state.target.root());
    if (!volume) {
        return std::unexpected(fs::writing_error(volume.error(), "look at the disk"));
    }
    JournalHeader header{.share = state.ids.share,
                         .receive = state.ids.receive,
                         .origin = state.ids.origin,
                         .boot = current_boot(),
                         .volume_device = volume->id.device,
                         .volume_number = volume->id.number};
    random_bytes(header.id);
    return header;
}

} // namespace

Result<bool> Preparation::search_journal() {
    if (state_.journal_searched) {
        return true;
    }
    auto found = state_.options.resume
                     ? find_journal(state_.target.root(), manifest_, end_, state_.ids)
                     : std::nullopt;
    if (!found) {
        state_.store.set_tag(random_tag(), 0);
        state_.journal_searched = true;
        return true;
    }
    state_.underway = found->journal.header.receive == state_.ids.receive;
    auto header = new_header(state_);
    const auto volume = fs::volume_facts(state_.target.root());
    if (!header || !volume) {
        return std::unexpected(header ? fs::writing_error(volume.error(), "look at the disk")
                                      : header.error());
    }
    if (!is_same_boot(found->journal.header, *volume)) {
        found->journal.content.drop_unsynced();
    }
    const bool same_sender =
        found->journal.header.origin == state_.ids.origin && state_.ids.origin != OriginId{};
    if (!same_sender) {
        header->origin = {};
    }
    auto journal = Journal::resume_from(state_.target.root(), found->tag, *header,
                                        found->journal.content, std::move(found->file));
    if (!journal) {
        return std::unexpected(journal_error(journal.error(), found->journal.bytes));
    }
    state_.journal = std::move(*journal);
    state_.parts.set_journal(state_.journal.get());
    const std::uint64_t first_part = (std::uint64_t{random_below(1U << 31)} + 1) * kMaxParts;
    state_.store.set_tag(found->tag, first_part);
    state_.previous = std::make_unique<PreviousAttempt>(std::move(*found), same_sender, first_part,
                                                        state_.target, state_.names, manifest_);
    state_.journal_searched = true;
    return true;
}

Result<bool> Preparation::begin_journal() {
    if (!state_.options.resume) {
        return true;
    }
    const bool needed = std::ranges::find(written_, true) != written_.end();
    if (!state_.journal && needed) {
        const auto header = new_header(state_);
        if (!header) {
            return std::unexpected(header.error());
        }
        auto journal = Journal::create(state_.target.root(), state_.store.tag(), *header);
        if (!journal) {
            return std::unexpected(journal_error(journal.error()));
        }
        // Before the first part file: no part may outlast a power loss without a journal.
        if (auto synced = (*journal)->sync(); !synced) {
            static_cast<void>((*journal)->end());
            return std::unexpected(journal_error(synced.error()));
        }
        state_.journal = std::move(*journal);
        state_.parts.set_journal(state_.journal.get());
    }
    for (std::uint64_t index = first_; state_.journal && index < end_; ++index) {
        auto &slot = slots_[index - first_];
        if (!slot && written_[index - first_]) {
            slot = state_.journal->add(manifest_.entry(index));
        }
        state_.entries.set_slot(index, slot);
    }
    return true;
}

Result<bool> Preparation::adopt_found() {
    for (std::uint64_t index = first_; next_ == 0 && index < end_; ++index) {
        if (!is_wanted(index)) {
            state_.parts.drop(index);
        }
    }
    while (next_ < found_.size()) {
        adopt(found_[next_++]);
        if (!spend(1)) {
            return false;
        }
    }
    return true;
}

void Preparation::adopt(const Found &found) {
    const std::uint64_t index = found.index;
    const auto slot = slots_[index - first_];
    if (const auto *file = std::get_if<ResumedPublished>(&found.resumed)) {
        if (file->unlogged) {
            unlogged_folders_.emplace(state_.names.place(manifest_, index).folder());
            unlogged_.items.push_back({.slot = *slot, .file = file->file, .name = file->name});
        }
        add_present(index, manifest_.file_size(index));
        return;
    }
    if (found.decision == Decision::WriteOver || found.decision == Decision::CompareContent) {
        (found.decision == Decision::WriteOver ? state_.replaced : state_.compared)[index] =
            found.existing;
    }
    const auto *part = std::get_if<ResumedPartial>(&found.resumed);
    const auto *complete = std::get_if<ResumedComplete>(&found.resumed);
    if (written_[index - first_] && part != nullptr && adopt_partial(found, *part)) {
        return;
    }
    if (written_[index - first_] && complete != nullptr) {
        state_.parts.adopt_small(index, complete->part);
        complete_.push_back(index);
        return;
    }
    if (slot && state_.previous && state_.previous->can_forget(*slot)) {
        // Its part file is of no use.
        state_.parts.adopt_small(index, {.number = state_.previous->part(*slot)});
        state_.parts.remove(index);
    }
    if (found.decision == Decision::Present) {
        add_present(index, 0);
    } else if (found.decision == Decision::LeaveOut) {
        append_index(prepared_.unwanted, index);
        state_.parts.drop(index);
    } else if (found.content) {
        prepared_.have.push_back({.index = index,
                                  .offset = manifest_.file_size(index),
                                  .hash_begin = 0,
                                  .hash = *found.content});
    }
}

/// Synced first: later records of the journal may be synced any time.
bool Preparation::adopt_partial(const Found &found, const ResumedPartial &part) {
    const SafeRelPath place = state_.names.place(manifest_, found.index);
    const auto folder = cursor_.go(place.folder());
    auto file =
        folder ? fs::open_for_writing(**folder, part_name(state_.store.tag(), part.part.number))
               : std::unexpected(folder.error());
    const auto status = file ? fs::status_of(*file) : std::unexpected(file.error());
    if (!status || !fs::sync_data(*file)) {
        return false;
    }
    if (state_.options.verify) {
        fs::drop_cache(*file);
        for (const Extent &extent : part.unsynced) {
            Blake3 hasher;
            if (!hash_range(*file, extent.offset, extent.end(), {&hasher}) ||
                shortened(hasher.finish()) != extent.hash) {
                return false;
            }
        }
    }
    // Its number may have changed again; as long as it is open, it stays.
    PartFile open = part.part;
    open.id = status->id;
    state_.parts.adopt_large(found.index, open, std::move(*file), part);
    prepared_.have.push_back(part.have);
    prepared_.resumed_bytes += part.have.offset;
    return true;
}

Result<bool> Preparation::adopt_complete_files() {
    constexpr std::size_t kFewFiles = 4;
    if (next_ == 0 && complete_.size() > kFewFiles) {
        synced_at_once_ = fs::sync_file_system(state_.target.root(), complete_.size());
    }
    while (next_ < complete_.size()) {
        adopt_complete_file(complete_[next_++]);
        if (!spend(1)) {
            return false;
        }
    }
    return true;
}

void Preparation::adopt_complete_file(std::uint64_t index) {
    const SafeRelPath place = state_.names.place(manifest_, index);
    PartFile part = state_.parts.find_complete(index)->part;
    const auto folder = cursor_.go(place.folder());
    const auto file =
        folder ? fs::open_for_writing(**folder, part_name(state_.store.tag(), part.number))
               : std::unexpected(folder.error());
    const auto status = file ? fs::status_of(*file) : std::unexpected(file.error());
    // Its number may have changed again; as long as it is open, it stays.
    part.id = status ? status->id : part.id;
    const bool synced = synced_at_once_ && status &&
                        ((*synced_at_once_ && !part.other_volume) || fs::sync_file(*file));
    const auto name = synced ? publish(state_, cursor_, index, part)
                             : Result<std::string>(fail(ErrorCode::DiskIo));
    if (!name) {
        // The file is sent again.
        state_.parts.remove(index);
        return;
    }
    unlogged_folders_.emplace(place.folder());
    unlogged_.items.push_back(
        {.slot = *slots_[index - first_], .file = part.id.number, .name = *name});
    add_present(index, manifest_.file_size(index));
}

Result<bool> Preparation::log_results() {
    log_unlogged();
    state_.writes.flush_journal();
    std::ranges::sort(present_);
    for (const std::uint64_t index : present_) {
        append_index(prepared_.present, index);
        state_.parts.set_done(index);
    }
    state_.prepared_end = end_;
    state_.underway = true;
    return true;
}

void Preparation::log_unlogged() {
    if (unlogged_.items.empty() || !sync_folders(state_.target, unlogged_folders_)) {
        return;
    }
    log_published(*state_.journal, unlogged_);
}

} // namespace thru

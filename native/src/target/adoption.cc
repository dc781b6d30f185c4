#include "target/adoption.h"

#include <algorithm>
#include <utility>

#include "names/part_name.h"
#include "target/metadata.h"
#include "target/older/basis_copy.h"
#include "target/older/chunk_copy.h"
#include "target/publish.h"

namespace thru {

Adoption::Adoption(ReceiveFolder::State &state, EntryRun &run)
    : state_(state), manifest_(*state.manifest), run_(run), cursor_(state.target) {}

bool Adoption::step() {
    if (next_found_ == 0) {
        drop_unwanted();
        if (!run_.links.empty()) {
            state_.links.begin(run_.links);
        }
        count_gaps();
    }
    ask_for_chunks();
    while (copy_ || next_found_ < run_.found.size()) {
        if (!copy_) {
            adopt(run_.found[next_found_++]);
        }
        if (!(copy_ ? copy_some() : run_.budget.spend(1))) {
            return false;
        }
    }
    constexpr std::size_t kFewFiles = 4;
    if (next_complete_ == 0 && complete_.size() > kFewFiles) {
        synced_at_once_ = fs::sync_file_system(state_.target.root(), complete_.size());
    }
    while (next_complete_ < complete_.size()) {
        publish_complete(complete_[next_complete_++]);
        if (!run_.budget.spend(1)) {
            return false;
        }
    }
    while (next_named_ < named_.size()) {
        link_names(named_[next_named_++]);
        if (!run_.budget.spend(1)) {
            return false;
        }
    }
    await_links();
    log_results();
    return true;
}

void Adoption::drop_unwanted() {
    for (std::uint64_t index = run_.first; index < run_.end; ++index) {
        if (!run_.is_wanted(index)) {
            state_.parts.drop(index);
        }
    }
}

/// Each gap of a resumed file takes a RESEND, as those of copies do.
void Adoption::count_gaps() {
    for (const FoundFile &found : run_.found) {
        const auto *part = std::get_if<ResumedPartial>(&found.resumed);
        state_.chunk_gaps += part != nullptr ? part->gaps.size() : 0;
    }
}

void Adoption::adopt(const FoundFile &found) {
    const std::uint64_t index = found.index;
    const auto slot = run_.slots[index - run_.first];
    if (const auto *file = std::get_if<ResumedPublished>(&found.resumed)) {
        if (file->unlogged) {
            unlogged_folders_.emplace(state_.names.place(manifest_, index).folder());
            unlogged_.items.push_back({.slot = *slot, .file = file->file, .name = file->name});
        }
        adopt_metadata(state_, cursor_, index, file->name, file->mode);
        note_named({.index = index, .name = file->name, .file = file->file});
        add_present(index, manifest_.file_size(index));
        return;
    }
    if (found.decision == Decision::WriteOver) {
        state_.allow_replacing(index, found.existing);
    } else if (found.decision == Decision::CompareContent) {
        state_.existing.compare(index, found.existing);
    }
    const auto *part = std::get_if<ResumedPartial>(&found.resumed);
    const auto *complete = std::get_if<ResumedComplete>(&found.resumed);
    if (run_.written[index - run_.first] && part != nullptr && adopt_partial(found, *part)) {
        return;
    }
    if (run_.written[index - run_.first] && complete != nullptr) {
        state_.parts.adopt_small(index, complete->part);
        complete_.push_back(index);
        return;
    }
    if (const auto *previous = state_.journal.previous();
        slot && previous != nullptr && previous->can_forget(*slot)) {
        // Its part file can't be used.
        state_.parts.adopt_small(index, {.number = previous->part(*slot)});
        state_.parts.remove(index);
    }
    if (found.basis && run_.written[index - run_.first]) {
        copy_ = begin_copy(found);
    }
    if (found.decision == Decision::Present) {
        uncompared_.push_back(index);
        adopt_metadata(state_, cursor_, index, {}, found.existing.mode);
    } else if (found.decision == Decision::LeaveOut) {
        append_index(run_.prepared.unwanted, index);
        state_.parts.drop(index);
    } else if (found.content) {
        run_.prepared.have.push_back({.index = index,
                                      .offset = manifest_.file_size(index),
                                      .hash_begin = 0,
                                      .hash = *found.content});
    }
}

/// Syncs the file first: later records of the journal may be synced at any time.
bool Adoption::adopt_partial(const FoundFile &found, const ResumedPartial &part) {
    const SafeRelPath place = state_.names.place(manifest_, found.index);
    const auto folder = cursor_.go(place.folder());
    auto file =
        folder ? fs::open_for_writing(**folder, part_name(state_.store.tag(), part.part.number))
               : std::unexpected(folder.error());
    const auto status = file ? fs::status_of(*file) : std::unexpected(file.error());
    if (!status || !fs::sync_data(*file)) {
        return false;
    }
    // Its number may have changed again; it is stable while the file is open.
    PartFile open = part.part;
    open.id = status->id;
    state_.parts.adopt_large(found.index, open, std::move(*file), part);
    claim(part);
    run_.prepared.resumed_bytes += part.have.offset;
    for (const ByteRange &gap : part.gaps) {
        run_.prepared.resumed_bytes -= gap.length;
    }
    return true;
}

void Adoption::claim(const ResumedPartial &part) {
    const std::uint64_t index = part.have.index;
    run_.prepared.have.push_back(part.have);
    run_.prepared.extents[index] = part.extents;
    for (const ByteRange &gap : part.gaps) {
        run_.prepared.missing.push_back(
            {.index = index, .offset = gap.offset, .length = gap.length});
    }
}

/// Several at a time: an answer takes a round trip.
void Adoption::ask_for_chunks() {
    for (; next_asked_ < run_.found.size(); ++next_asked_) {
        const FoundFile &found = run_.found[next_asked_];
        const auto lengths = found.basis && run_.written[found.index - run_.first]
                                 ? ChunkCopy::lengths(state_, found.index)
                                 : std::nullopt;
        if (lengths && !state_.chunks.ask(found.index,
                                          manifest_.file_size(found.index) / lengths->min() + 1)) {
            return;
        }
    }
}

std::unique_ptr<PartCopy> Adoption::begin_copy(const FoundFile &found) {
    // No earlier file needs its list anymore, so there is room for this one's.
    ask_for_chunks();
    if (ChunkCopy::lengths(state_, found.index)) {
        auto copy = ChunkCopy::begin(state_, cursor_, found.index, *found.basis);
        if (!copy) {
            state_.chunks.drop(found.index);
        }
        return copy;
    }
    return BasisCopy::begin(state_, cursor_, found.index, *found.basis);
}

/// A file that can't be copied is sent whole.
bool Adoption::copy_some() {
    const PartCopy::Step step = copy_->step(run_.budget);
    if (step == PartCopy::Step::Waits) {
        return false;
    }
    if (step == PartCopy::Step::Done) {
        auto [file, partial, fetched] = copy_->take();
        state_.parts.adopt_large(partial.have.index, partial.part, std::move(file), partial);
        claim(partial);
        run_.prepared.of_basis.emplace(partial.have.index, fetched);
    }
    if (step != PartCopy::Step::More) {
        state_.chunks.drop(copy_->index());
        copy_.reset();
    }
    return run_.budget.spend(1);
}

void Adoption::publish_complete(std::uint64_t index) {
    const SafeRelPath place = state_.names.place(manifest_, index);
    PartFile part = state_.parts.find_complete(index)->part;
    const auto folder = cursor_.go(place.folder());
    const auto file =
        folder ? fs::open_for_writing(**folder, part_name(state_.store.tag(), part.number))
               : std::unexpected(folder.error());
    const auto status = file ? fs::status_of(*file) : std::unexpected(file.error());
    // Its number may have changed again; it is stable while the file is open.
    part.id = status ? status->id : part.id;
    const bool synced = synced_at_once_ && status &&
                        ((*synced_at_once_ && !part.other_volume) || fs::sync_file(*file));
    const auto published = synced ? publish(state_, cursor_, index, part)
                                  : Result<PublishedName>(fail(ErrorCode::DiskIo));
    if (!published) {
        // The file is sent again.
        state_.parts.remove(index);
        return;
    }
    unlogged_folders_.emplace(place.folder());
    unlogged_.items.push_back(
        {.slot = *run_.slots[index - run_.first], .file = part.id.number, .name = published->name});
    add_present(index, manifest_.file_size(index));
    if (!published->existed) {
        note_named({.index = index, .name = published->name, .file = part.id.number});
    }
}

void Adoption::note_named(LinkedFile file) {
    if (state_.links.has_names(file.index)) {
        named_.push_back(std::move(file));
    }
}

/// Entries that can't be linked are received.
void Adoption::link_names(const LinkedFile &file) {
    for (const std::uint64_t index : state_.links.take_names_of(file.index)) {
        const bool has_folder = run_.written[index - run_.first];
        const auto linked = has_folder ? link_name(state_, cursor_, file, index)
                                       : Result<PublishedName>(fail(ErrorCode::TargetNotWritable));
        if (linked) {
            unlogged_folders_.emplace(state_.names.place(manifest_, index).folder());
            if (const auto slot = run_.slots[index - run_.first]) {
                unlogged_.items.push_back({.slot = *slot, .file = file.file, .name = linked->name});
            }
            add_present(index, 0);
        }
    }
}

/// The other links wait until their files are published.
void Adoption::await_links() {
    for (const HardLink &link : run_.links) {
        if (!run_.written[link.index - run_.first] || !run_.written[link.first - run_.first]) {
            static_cast<void>(state_.links.take(link.index));
        } else if (state_.links.waits(link.index)) {
            append_index(run_.prepared.linked, link.index);
        }
    }
}

void Adoption::log_results() {
    if (!unlogged_.items.empty() && sync_folders(state_.target, unlogged_folders_)) {
        log_published(*state_.journal, unlogged_);
    }
    state_.writes.flush_journal();
    const auto settle = [this](std::vector<std::uint64_t> &files, IndexRanges &ranges) {
        std::ranges::sort(files);
        for (const std::uint64_t index : files) {
            append_index(ranges, index);
            state_.parts.set_done(index);
        }
    };
    settle(present_, run_.prepared.present);
    settle(uncompared_, run_.prepared.uncompared);
}

void Adoption::add_present(std::uint64_t index, std::uint64_t resumed_bytes) {
    present_.push_back(index);
    run_.prepared.resumed_bytes += resumed_bytes;
}

} // namespace thru

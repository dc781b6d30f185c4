#include "transfer/receiver_entries.h"

#include <algorithm>
#include <utility>

#include "transfer/protocol_error.h"

namespace thru {

namespace {

/// True if it existed before any attempt to receive it.
bool is_identical(EntryState state) {
    return state == EntryState::Identical || state == EntryState::Uncompared;
}

bool is_done(EntryState state) {
    return state == EntryState::Published || state == EntryState::Present || is_identical(state);
}

FileState file_state(std::uint8_t state) {
    switch (static_cast<EntryState>(state)) {
    case EntryState::Waiting:
    case EntryState::Unskipping:
        return FileState::Waiting;
    case EntryState::Arriving:
    case EntryState::Partial:
        return FileState::Active;
    case EntryState::Complete:
    case EntryState::Linked:
        return FileState::Received;
    case EntryState::Published:
        return FileState::Saved;
    case EntryState::Present:
    case EntryState::Identical:
    case EntryState::Uncompared:
        return FileState::Present;
    case EntryState::Unwanted:
    case EntryState::Skipped:
        return FileState::Skipped;
    case EntryState::Failed:
        return FileState::Failed;
    case EntryState::Removed:
        return FileState::Gone;
    }
    return FileState::Gone;
}

} // namespace

Result<> ReceiverEntries::add(const ManifestEntry &entry) {
    auto added = manifest_->add(entry);
    reach(manifest_->size());
    return added;
}

Result<> ReceiverEntries::take(const HardLinks &message) {
    if (!hard_links_.empty() && hard_links_.back().index >= message.links.front().index) {
        return protocol_error("HARD_LINKS out of order");
    }
    hard_links_.insert(hard_links_.end(), message.links.begin(), message.links.end());
    return {};
}

Result<> ReceiverEntries::take(const FileAttributes &file) {
    if (!attributes_.empty() && attributes_.back().index >= file.index) {
        return protocol_error("ATTRIBUTES out of order");
    }
    attribute_bytes_ += attribute_cost(file.attributes);
    if (attribute_bytes_ > kMaxOfferAttributeBytes) {
        return fail(ErrorCode::LimitExceeded, 0, "too many extended attributes");
    }
    attributes_.push_back(file);
    return {};
}

Result<> ReceiverEntries::take(const CreationTimes &message) {
    if (!creation_times_.empty() && creation_times_.back().index >= message.files.front().index) {
        return protocol_error("CREATION_TIMES out of order");
    }
    creation_times_.insert(creation_times_.end(), message.files.begin(), message.files.end());
    return {};
}

Result<> ReceiverEntries::link(std::uint64_t end, bool of_folders) {
    for (const HardLink &link : hard_links_) {
        const bool is_further =
            std::ranges::binary_search(hard_links_, link.first, {}, &HardLink::index);
        if (link.index >= end || is_further ||
            !manifest_->may_be_one_file(link.first, link.index)) {
            return protocol_error("HARD_LINKS for entries that can't be names of one file");
        }
    }
    const auto may_have = [&](const auto &listed) {
        return listed.index < end &&
               (manifest_->may_be_one_file(listed.index, listed.index) ||
                (of_folders && manifest_->kind(listed.index) == EntryKind::Folder));
    };
    if (!std::ranges::all_of(attributes_, may_have)) {
        return protocol_error("ATTRIBUTES of an entry that may have none");
    }
    if (!std::ranges::all_of(creation_times_, may_have)) {
        return protocol_error("CREATION_TIMES of an entry that may have none");
    }
    manifest_->set_hard_links(std::exchange(hard_links_, {}));
    manifest_->set_attributes(std::exchange(attributes_, {}));
    manifest_->set_creation_times(std::exchange(creation_times_, {}));
    return {};
}

void ReceiverEntries::reach(std::uint64_t end) {
    states_.resize(std::max<std::size_t>(states_.size(), end));
}

void ReceiverEntries::accept(std::uint64_t end) {
    for (std::uint64_t index = std::exchange(accepted_, end); index < end; ++index) {
        count(index, true);
    }
}

bool ReceiverEntries::is_accepted_file(std::uint64_t index) const {
    return index < accepted_ && manifest_->kind(index) == EntryKind::File;
}

bool ReceiverEntries::accepts(std::uint64_t index) const {
    const EntryState now = state(index);
    return now == EntryState::Waiting || now == EntryState::Arriving || now == EntryState::Partial;
}

bool ReceiverEntries::is_missing(std::uint64_t index) const {
    const EntryState now = state(index);
    return accepts(index) || now == EntryState::Complete || now == EntryState::Linked ||
           now == EntryState::Unskipping;
}

std::uint64_t ReceiverEntries::whole_bytes(std::uint64_t index) const {
    const EntryState now = state(index);
    const bool whole = is_done(now) || now == EntryState::Complete || now == EntryState::Linked;
    return whole ? manifest_->file_size(index) : 0;
}

void ReceiverEntries::count(std::uint64_t index, bool in) {
    if (!is_accepted_file(index)) {
        return;
    }
    const auto move = [in](std::uint64_t &sum, std::uint64_t by) {
        sum = in ? sum + by : sum - by;
    };
    const EntryState now = state(index);
    const std::uint64_t size = manifest_->file_size(index);
    const bool missing = is_missing(index);
    const bool wanted = missing || is_done(now);
    const bool unwanted = now == EntryState::Unwanted || now == EntryState::Skipped;
    move(totals_.files, is_done(now) ? 1 : 0);
    move(totals_.bytes, whole_bytes(index));
    move(totals_.total_files, wanted ? 1 : 0);
    move(totals_.total_bytes, wanted ? size : 0);
    move(totals_.offered_files, now == EntryState::Removed ? 0 : 1);
    move(totals_.unwanted_files, unwanted ? 1 : 0);
    move(totals_.missing_files, missing ? 1 : 0);
    move(totals_.identical_files, is_identical(now) ? 1 : 0);
    move(totals_.identical_bytes, is_identical(now) ? size : 0);
    move(totals_.uncompared_files, now == EntryState::Uncompared ? 1 : 0);
}

void ReceiverEntries::set_state(std::uint64_t index, EntryState state) {
    count(index, false);
    states_[index] = state;
    count(index, true);
}

Result<> ReceiverEntries::grow_stream(std::uint64_t index, std::uint64_t size) {
    count(index, false);
    auto grown = manifest_->grow_stream(size);
    count(index, true);
    return grown;
}

FileStates ReceiverEntries::file_states(std::uint64_t end) const {
    const auto known = std::min<std::uint64_t>(end, states_.size());
    FileStates states{.raw = std::vector<std::uint8_t>(known), .state_of = file_state};
    std::transform(states_.begin(), states_.begin() + static_cast<std::ptrdiff_t>(known),
                   states.raw.begin(),
                   [](EntryState state) { return static_cast<std::uint8_t>(state); });
    return states;
}

} // namespace thru

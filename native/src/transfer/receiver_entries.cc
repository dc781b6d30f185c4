// The receiver's entries: what state each is in, and what all of them add up to.
#include <algorithm>
#include <cassert>
#include <ranges>

#include "transfer/index_chunks.h"
#include "transfer/receiver.h"

namespace thru {

bool Receiver::is_file(std::uint64_t index) const {
    return index < manifest_->size() && manifest_->kind(index) == EntryKind::File;
}

bool Receiver::accepted_file(std::uint64_t index) const {
    return index < accepted_ && is_file(index);
}

bool Receiver::accepts(std::uint64_t index) const {
    const EntryState state = states_[index];
    return state == EntryState::Waiting || state == EntryState::Arriving ||
           state == EntryState::Partial;
}

bool Receiver::is_missing(EntryState state) {
    switch (state) {
    case EntryState::Waiting:
    case EntryState::Arriving:
    case EntryState::Partial:
    case EntryState::Complete:
    case EntryState::Unskipping:
        return true;
    default:
        return false;
    }
}

bool Receiver::is_done(EntryState state) {
    return state == EntryState::Published || state == EntryState::Present || is_identical(state);
}

bool Receiver::is_identical(EntryState state) {
    return state == EntryState::Identical || state == EntryState::Uncompared;
}

std::uint64_t Receiver::present_bytes(std::uint64_t index) const {
    if (index >= states_.size()) {
        return 0;
    }
    const std::uint64_t size = manifest_->file_size(index);
    if (states_[index] == EntryState::Partial) {
        return std::min(size, partial_.at(index).written.bytes());
    }
    return is_done(states_[index]) || states_[index] == EntryState::Complete ? size : 0;
}

void Receiver::count(std::uint64_t index, bool in) {
    if (!accepted_file(index)) {
        return;
    }
    const auto move = [in](std::uint64_t &sum, std::uint64_t by) {
        sum = in ? sum + by : sum - by;
    };
    const EntryState state = states_[index];
    const bool wanted = is_missing(state) || is_done(state);
    const bool unwanted = state == EntryState::Unwanted || state == EntryState::Skipped;
    const bool identical = is_identical(state);
    move(missing_, is_missing(state) ? 1 : 0);
    move(total_files_, wanted ? 1 : 0);
    move(total_bytes_, wanted ? manifest_->file_size(index) : 0);
    move(progress_.files, is_done(state) ? 1 : 0);
    move(progress_.bytes, present_bytes(index));
    move(offered_files_, state == EntryState::Removed ? 0 : 1);
    move(unwanted_files_, unwanted ? 1 : 0);
    move(identical_, identical ? 1 : 0);
    move(identical_bytes_, identical ? manifest_->file_size(index) : 0);
    move(uncompared_, state == EntryState::Uncompared ? 1 : 0);
}

void Receiver::set_state(std::uint64_t index, EntryState state) {
    count(index, false);
    states_[index] = state;
    count(index, true);
}

void Receiver::cover(std::uint64_t end) {
    for (std::uint64_t index = std::exchange(accepted_, end); index < end; ++index) {
        count(index, true);
    }
}

void Receiver::withdraw(std::uint64_t index, EntryState state) {
    assert(!is_missing(state));
    const auto found = partial_.find(index);
    if (states_[index] == EntryState::Arriving) {
        dropping_.set(index, 1);
    } else if (found != partial_.end()) {
        if (found->second.in_flight > 0) {
            dropping_.set(index, found->second.in_flight);
        }
        if (found->second.have) {
            stale_haves_.insert(index);
        }
    }
    set_state(index, state);
    if (found != partial_.end()) {
        ranges_ -= found->second.claimed.count();
        partial_.erase(found);
    }
    lost_.erase(lost_.lower_bound({index, 0}), lost_.lower_bound({index + 1, 0}));
}

void Receiver::skip(const IndexRanges &ranges) {
    IndexRanges skipped;
    for_each_index(ranges, [&](std::uint64_t index) {
        if (!accepted_file(index) || !is_missing(states_[index])) {
            return;
        }
        // Files not requested yet need no SKIP.
        if (states_[index] != EntryState::Unskipping) {
            append_index(skipped, index);
        }
        withdraw(index, EntryState::Skipped);
    });
    send_skip(Skip::Why::Unwanted, skipped);
    check_complete();
}

void Receiver::want(const IndexRanges &ranges) {
    if (phase_ != Phase::Receiving) {
        return;
    }
    IndexRanges wanted;
    for_each_index(ranges, [&](std::uint64_t index) {
        const EntryState state = index < accepted_ ? states_[index] : EntryState::Waiting;
        const bool skipped = state == EntryState::Skipped || state == EntryState::Unwanted;
        // A stream that was skipped is gone.
        if (!skipped || manifest_->stream(index)) {
            return;
        }
        if (const auto failed = unreadable_.get(index)) {
            set_state(index, EntryState::Waiting);
            mark_failed(index, *failed);
        } else if (dropping_.get(index) > 0) {
            set_state(index, EntryState::Unskipping);
        } else {
            unskip(index);
            append_index(wanted, index);
        }
    });
    send_skip(Skip::Why::Wanted, wanted);
    complete_ = complete_ && missing_ == 0;
}

void Receiver::prioritize(const IndexRanges &ranges) {
    if (phase_ != Phase::Receiving) {
        return;
    }
    IndexRanges missing;
    for_each_index(ranges, [&](std::uint64_t index) {
        if (accepted_file(index) && accepts(index)) {
            append_index(missing, index);
        }
    });
    // A later Prioritize goes before the earlier ones.
    for (IndexRanges &chunk : chunks_of(missing) | std::views::reverse) {
        messages_.emplace_back(Prioritize{std::move(chunk)});
    }
}

FileState Receiver::file_state(std::uint8_t state) {
    switch (static_cast<EntryState>(state)) {
    case EntryState::Waiting:
    case EntryState::Unskipping:
        return FileState::Waiting;
    case EntryState::Arriving:
    case EntryState::Partial:
        return FileState::Active;
    case EntryState::Complete:
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

FileStates Receiver::file_states() const {
    const auto end = std::min<std::uint64_t>(offered_, states_.size());
    FileStates states{.raw = std::vector<std::uint8_t>(end), .state_of = file_state};
    std::transform(states_.begin(), states_.begin() + static_cast<std::ptrdiff_t>(end),
                   states.raw.begin(),
                   [](EntryState state) { return static_cast<std::uint8_t>(state); });
    return states;
}

void Receiver::unskip(std::uint64_t index) {
    if (states_[index] != EntryState::Unwanted) {
        repeated_.insert(index);
    }
    ++unskips_;
    set_state(index, EntryState::Waiting);
}

bool Receiver::stream_open() const {
    const auto index = manifest_->stream();
    return index && accepted_file(*index) && is_missing(states_[*index]) && !stream_ended_;
}

void Receiver::become_complete(std::uint64_t index) {
    set_state(index, EntryState::Complete);
    if (const auto found = partial_.find(index); found != partial_.end()) {
        ranges_ -= found->second.claimed.count();
        partial_.erase(found);
    }
    complete_files_.push_back(index);
}

void Receiver::on_file_published(std::uint64_t index, bool renamed) {
    if (settle(index, EntryState::Published)) {
        renamed_ += renamed ? 1 : 0;
        check_complete();
    }
}

void Receiver::on_file_identical(std::uint64_t index) {
    if (settle(index, EntryState::Identical)) {
        check_complete();
    }
}

bool Receiver::settle(std::uint64_t index, EntryState state) {
    const EntryState before = states_[index];
    if (before != EntryState::Skipped && !is_missing(before)) {
        return false;
    }
    if (before != EntryState::Complete && phase_ != Phase::Finished) {
        // It was published already when it was skipped, whatever its state is now.
        send_skip(Skip::Why::Present, {{.first = index, .count = 1}});
    }
    withdraw(index, state);
    return true;
}

void Receiver::on_entry_failed(std::uint64_t index, ErrorCode code) {
    if (mark_failed(index, code)) {
        messages_.emplace_back(EntryFailed{.index = index, .code = code});
        check_complete();
    }
}

bool Receiver::mark_failed(std::uint64_t index, ErrorCode code) {
    const bool over = phase_ == Phase::Finished && index < accepted_;
    if (over || !is_missing(states_[index])) {
        return false;
    }
    withdraw(index, EntryState::Failed);
    ++problems_;
    events_.emplace_back(ReceiverEntryFailed{.index = index, .code = code});
    return true;
}

} // namespace thru

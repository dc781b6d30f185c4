// The receiver's segments: which bytes are claimed, written, or to be resent.
#include <algorithm>
#include <cassert>

#include "transfer/breach.h"
#include "transfer/receiver.h"

namespace thru {

namespace {

/// Gaps in files of several segments that may be open at once. A sender goes through its files in
/// order, so a handful is usual; this many cost about 8 MiB.
constexpr std::size_t kMaxRanges = 65'536;

/// Pieces that are requested again because their hash was wrong. A link that damages more is
/// broken.
constexpr std::size_t kMaxDamaged = 65'536;

/// How often a file may read back wrong.
constexpr unsigned kMaxReadBacks = 3;

} // namespace

bool Receiver::covers_file(const Piece &piece) const {
    // A stream comes piece by piece, however short it is.
    return !manifest_->stream(piece.index) && piece.offset == 0 &&
           piece.length == manifest_->file_size(piece.index);
}

bool Receiver::ends_stream(const Piece &piece) const {
    return manifest_->stream(piece.index) && piece.length == 0 && piece.offset > 0;
}

/// Learns from a piece how long the stream is.
Result<> Receiver::fit_stream(const Piece &piece, bool alone) {
    const std::uint64_t end = piece.offset + piece.length;
    if (!alone) {
        return breach("piece of a stream in a segment of several pieces");
    }
    if (stream_end_ && (piece.length == 0 || end > *stream_end_)) {
        return breach("piece behind the end of a stream");
    }
    if (piece.length == 0 && end < manifest_->file_size(piece.index)) {
        return breach("end of a stream before bytes of it");
    }
    count(piece.index, false);
    const auto grown = manifest_->grow_stream(end);
    count(piece.index, true);
    if (piece.length == 0) {
        stream_end_ = end;
    }
    return grown;
}

/// The end of the stream is known for sure.
void Receiver::finish_stream(const Piece &piece) {
    stream_ended_ = true;
    check_file_complete(piece.index);
}

std::pair<std::uint64_t, std::uint64_t> Receiver::range_of(const Piece &piece) const {
    const std::uint64_t length = manifest_->file_size(piece.index) == 0 ? 1 : piece.length;
    return {piece.offset, piece.offset + length};
}

Result<> Receiver::on_segment_started(const SegmentPlan &plan) {
    for (const Piece &piece : plan) {
        if (auto claimed = claim(piece, plan.size() == 1); !claimed) {
            return claimed;
        }
    }
    return {};
}

Result<> Receiver::claim(const Piece &piece, bool alone) {
    if (!accepted_file(piece.index)) {
        return breach("piece of an entry that is not a requested file");
    }
    if (manifest_->stream(piece.index)) {
        if (auto fits = fit_stream(piece, alone); !fits) {
            return fits;
        }
    }
    const std::uint64_t size = manifest_->file_size(piece.index);
    if (piece.offset > size || piece.length > size - piece.offset) {
        return breach("piece beyond the end of a file");
    }
    if (piece.length == 0 && size > 0 && !ends_stream(piece)) {
        return breach("empty piece of a file");
    }
    if (!alone && !covers_file(piece)) {
        return breach("partial file in a segment of several pieces");
    }
    switch (states_[piece.index]) {
    case EntryState::Waiting:
        if (covers_file(piece) && !repeated_.contains(piece.index)) {
            set_state(piece.index, EntryState::Arriving);
            return {};
        }
        return claim_part(piece);
    case EntryState::Partial:
        return claim_part(piece);
    case EntryState::Skipped:
    case EntryState::Unskipping:
    case EntryState::Removed:
    case EntryState::Failed:
        dropping_.set(piece.index, dropping_.get(piece.index) + 1); // it was on its way
        return {};
    case EntryState::Complete:
    case EntryState::Published:
    case EntryState::Identical:
        if (repeated_.contains(piece.index)) {
            dropping_.set(piece.index, dropping_.get(piece.index) + 1);
            return {};
        }
        return breach("bytes of a file sent twice");
    case EntryState::Arriving:
    case EntryState::Present:
    case EntryState::Uncompared:
        return breach("bytes of a file sent twice");
    case EntryState::Unwanted:
        break;
    }
    return breach("piece of a skipped file");
}

Result<> Receiver::claim_part(const Piece &piece) {
    const auto [begin, end] = range_of(piece);
    if (states_[piece.index] == EntryState::Partial) {
        // Data can overtake the answer.
        const auto have = partial_.at(piece.index).have;
        if (have && begin < *have) {
            restart_file(piece.index);
            stale_haves_.insert(piece.index);
        }
    }
    PartialFile &file = partial_[piece.index];
    if (states_[piece.index] != EntryState::Partial) {
        set_state(piece.index, EntryState::Partial);
    }
    if (ends_stream(piece)) {
        ++file.in_flight;
        return {};
    }
    if (!repeated_.contains(piece.index) && file.claimed.overlaps(begin, end)) {
        return breach("bytes of a file sent twice");
    }
    ranges_ -= file.claimed.count();
    file.claimed.add(begin, end);
    ranges_ += file.claimed.count();
    ++file.in_flight;
    return ranges_ <= kMaxRanges + own_ranges_ ? Result<>{}
                                               : breach("too many gaps in received files");
}

void Receiver::resume_from(const Have &have, std::vector<Extents::Run> extents) {
    const Piece beginning{.index = have.index, .offset = 0, .length = have.offset};
    const auto [begin, end] = range_of(beginning);
    PartialFile &file = partial_[have.index];
    file.have = end;
    // The last one may be answered without runs.
    compares_ += 2 + extents.size() / kMaxExtents;
    file.extents = std::move(extents);
    if (begin < end) {
        file.claimed.add(begin, end);
        file.written.add(begin, end);
        ++ranges_;
        ++own_ranges_;
    }
    set_state(have.index, EntryState::Partial);
}

void Receiver::restart_file(std::uint64_t index) {
    PartialFile &file = partial_.at(index);
    const std::uint64_t end = *std::exchange(file.have, std::nullopt);
    file.extents = {};
    file.missing = {};
    events_.emplace_back(ReceiverRestarted{index});
    if (end > 0) {
        clear_range(index, 0, end);
    }
    drop_if_empty(index);
}

std::uint64_t Receiver::clear_range(std::uint64_t index, std::uint64_t begin, std::uint64_t end) {
    PartialFile &file = partial_.at(index);
    count(index, false);
    ranges_ -= file.claimed.count();
    file.claimed.remove(begin, end);
    const std::uint64_t written = file.written.remove(begin, end);
    ranges_ += file.claimed.count();
    count(index, true);
    return written;
}

void Receiver::drop_if_empty(std::uint64_t index) {
    const PartialFile &file = partial_.at(index);
    if (file.claimed.empty() && file.written.empty() && file.in_flight == 0 && !file.have) {
        set_state(index, EntryState::Waiting);
        partial_.erase(index);
    }
}

bool Receiver::end_piece(const Piece &piece) {
    const EntryState state = states_[piece.index];
    if (state == EntryState::Arriving) {
        return true;
    }
    if (state == EntryState::Partial) {
        --partial_.at(piece.index).in_flight;
        return true;
    }
    const auto dropped = dropping_.get(piece.index);
    assert(dropped > 0);
    dropping_.set(piece.index, dropped - 1);
    if (dropped == 1 && state == EntryState::Unskipping) {
        unskip(piece.index);
        send_skip(Skip::Why::Wanted, {{.first = piece.index, .count = 1}});
    }
    return false;
}

std::uint64_t Receiver::unclaim(const Piece &piece) {
    if (states_[piece.index] == EntryState::Arriving) {
        set_state(piece.index, EntryState::Waiting);
        return 0;
    }
    const auto [begin, end] = range_of(piece);
    const std::uint64_t written = clear_range(piece.index, begin, end);
    drop_if_empty(piece.index);
    return written;
}

void Receiver::on_segment_written(const SegmentPlan &plan) {
    for (const Piece &piece : plan) {
        if (!end_piece(piece)) {
            continue;
        }
        if (states_[piece.index] == EntryState::Arriving) {
            become_complete(piece.index);
            continue;
        }
        if (ends_stream(piece)) {
            finish_stream(piece);
            continue;
        }
        stream_ended_ = stream_ended_ || (manifest_->stream(piece.index) && piece.length == 0);
        const auto [begin, end] = range_of(piece);
        count(piece.index, false);
        partial_.at(piece.index).written.add(begin, end);
        count(piece.index, true);
        check_file_complete(piece.index);
    }
}

void Receiver::check_file_complete(std::uint64_t index) {
    if (manifest_->stream(index) && !stream_ended_) {
        return;
    }
    const PartialFile &file = partial_.at(index);
    const std::uint64_t needed = std::max<std::uint64_t>(manifest_->file_size(index), 1);
    // Not while a second copy of its bytes is written: that one may be damaged.
    if (file.written.bytes() == needed && file.in_flight == 0 && !file.have) {
        become_complete(index);
    }
}

void Receiver::on_segment_abandoned(const SegmentPlan &plan) {
    for (const Piece &piece : plan) {
        if (manifest_->stream(piece.index) && piece.length == 0) {
            stream_end_.reset();
        }
        if (ends_stream(piece)) {
            static_cast<void>(end_piece(piece));
            continue;
        }
        // The second copy may have damaged the first one, which nobody would resend.
        if (end_piece(piece) && unclaim(piece) > 0) {
            request_resend(piece);
        }
    }
}

void Receiver::on_segment_damaged(const SegmentPlan &plan) {
    for (const Piece &piece : plan) {
        if (!end_piece(piece)) {
            continue;
        }
        if (ends_stream(piece)) {
            on_entry_failed(piece.index, ErrorCode::HashMismatch);
            continue;
        }
        unclaim(piece);
        if (damaged_.size() < kMaxDamaged && damaged_.insert({piece.index, piece.offset}).second) {
            request_resend(piece);
        } else {
            on_entry_failed(piece.index, ErrorCode::HashMismatch);
        }
    }
}

void Receiver::on_segment_voided(const SegmentPlan &plan) {
    for (const Piece &piece : plan) {
        const bool counts = end_piece(piece);
        if (counts && ends_stream(piece)) {
            finish_stream(piece); // It has no bytes that a disk could lose.
        } else if (counts) {
            unclaim(piece);
            request_resend(piece);
        }
    }
}

void Receiver::on_segment_lost(const SegmentPlan &plan) {
    for (const Piece &piece : plan) {
        if (end_piece(piece)) {
            unclaim(piece);
            std::uint64_t &length = lost_[{piece.index, piece.offset}];
            length = std::max(length, piece.length);
        }
    }
}

bool Receiver::holds_unpublished(std::uint64_t index) const {
    return states_[index] == EntryState::Complete || states_[index] == EntryState::Partial;
}

void Receiver::on_read_back_wrong(std::uint64_t index, std::uint64_t offset, std::uint64_t length) {
    if (holds_unpublished(index) && ++read_back_wrong_[index] > kMaxReadBacks) {
        on_entry_failed(index, ErrorCode::DiskIo);
        return;
    }
    on_bytes_lost(index, offset, length);
}

void Receiver::on_bytes_lost(std::uint64_t index, std::uint64_t offset, std::uint64_t length) {
    if (!holds_unpublished(index)) {
        return;
    }
    // Pieces being dropped could not be distinguished from resent ones.
    if (dropping_.get(index) > 0) {
        on_entry_failed(index, ErrorCode::DiskIo);
        return;
    }
    // A piece on its way may be voided next, and requested once more.
    if (const auto partial = partial_.find(index);
        partial != partial_.end() && partial->second.in_flight > 0) {
        repeated_.insert(index);
    }
    if (states_[index] == EntryState::Complete) {
        const auto [begin, end] =
            range_of({.index = index, .offset = 0, .length = manifest_->file_size(index)});
        PartialFile &file = partial_[index];
        file.claimed.add(begin, end);
        file.written.add(begin, end);
        ++ranges_;
        set_state(index, EntryState::Partial);
    }
    own_ranges_ += 2;
    const Piece piece{.index = index, .offset = offset, .length = length};
    unclaim(piece);
    request_resend(piece);
}

void Receiver::request_resend(const Piece &piece) {
    messages_.emplace_back(
        Resend{.index = piece.index, .offset = piece.offset, .length = piece.length});
}

} // namespace thru

#include "transfer/receiver_pieces.h"

#include <algorithm>
#include <cassert>

#include "transfer/protocol_error.h"

namespace thru {

namespace {

/// Maximum number of gaps in files of several segments: a handful is usual; this many take 8 MiB.
constexpr std::size_t kMaxRanges = 65'536;

/// Maximum number of pieces requested again after a wrong hash. A link that damages more is broken.
constexpr std::size_t kMaxDamaged = 65'536;

/// Wrong read-backs before a file fails.
constexpr unsigned kMaxReadBacks = 3;

} // namespace

bool ReceiverPieces::covers_file(const Piece &piece) const {
    // A stream is received piece by piece, however short it is.
    return !entries_.manifest().stream(piece.index) && piece.offset == 0 &&
           piece.length == entries_.manifest().file_size(piece.index);
}

bool ReceiverPieces::ends_stream(const Piece &piece) const {
    return entries_.manifest().stream(piece.index) && piece.length == 0 && piece.offset > 0;
}

/// Updates the stream's length from a piece.
Result<> ReceiverPieces::fit_stream(const Piece &piece, bool alone) {
    const std::uint64_t end = piece.offset + piece.length;
    if (!alone) {
        return protocol_error("piece of a stream in a segment of several pieces");
    }
    if (stream_end_ && (piece.length == 0 || end > *stream_end_)) {
        return protocol_error("piece behind the end of a stream");
    }
    if (piece.length == 0 && end < entries_.manifest().file_size(piece.index)) {
        return protocol_error("end of a stream before bytes of it");
    }
    if (piece.length == 0) {
        stream_end_ = end;
    }
    return entries_.grow_stream(piece.index, end);
}

/// Marks the stream as ended: its final piece is verified.
void ReceiverPieces::finish_stream(const Piece &piece) {
    stream_ended_ = true;
    check_complete(piece.index);
}

std::pair<std::uint64_t, std::uint64_t> ReceiverPieces::range_of(const Piece &piece) const {
    const std::uint64_t length = entries_.manifest().file_size(piece.index) == 0 ? 1 : piece.length;
    return {piece.offset, piece.offset + length};
}

Result<> ReceiverPieces::on_started(const SegmentPlan &plan) {
    for (const Piece &piece : plan) {
        if (auto claimed = claim(piece, plan.size() == 1); !claimed) {
            return claimed;
        }
    }
    return {};
}

/// Both sides know which prefetched bytes count: those of files without SKIP and HAVE. Other bytes
/// are dropped, because they are not wanted or are sent again.
Result<> ReceiverPieces::on_prefetched(SegmentPlan &plan) {
    const bool alone = plan.size() == 1;
    std::erase_if(plan, [this](const Piece &piece) {
        return !entries_.accepts(piece.index) || resumed_.contains(piece.index);
    });
    for (const Piece &piece : plan) {
        if (auto claimed = claim(piece, alone); !claimed) {
            return claimed;
        }
    }
    return {};
}

Result<> ReceiverPieces::claim(const Piece &piece, bool alone) {
    if (!entries_.is_accepted_file(piece.index)) {
        return protocol_error("piece of an entry that is not a requested file");
    }
    if (entries_.manifest().stream(piece.index)) {
        if (auto fits = fit_stream(piece, alone); !fits) {
            return fits;
        }
    }
    const std::uint64_t size = entries_.manifest().file_size(piece.index);
    if (piece.offset > size || piece.length > size - piece.offset) {
        return protocol_error("piece beyond the end of a file");
    }
    if (piece.length == 0 && size > 0 && !ends_stream(piece)) {
        return protocol_error("empty piece of a file");
    }
    if (!alone && !covers_file(piece)) {
        return protocol_error("partial file in a segment of several pieces");
    }
    switch (entries_.state(piece.index)) {
    case EntryState::Waiting:
        if (covers_file(piece) && !repeated_.contains(piece.index)) {
            entries_.set_state(piece.index, EntryState::Arriving);
            return {};
        }
        return claim_part(piece);
    case EntryState::Partial:
        return claim_part(piece);
    case EntryState::Skipped:
    case EntryState::Unskipping:
    case EntryState::Removed:
    case EntryState::Failed:
        drop_piece(piece.index); // In transit when the entry ended.
        return {};
    case EntryState::Complete:
    case EntryState::Published:
    case EntryState::Identical:
        if (repeated_.contains(piece.index)) {
            drop_piece(piece.index);
            return {};
        }
        [[fallthrough]];
    case EntryState::Arriving:
    case EntryState::Present:
    case EntryState::Uncompared:
        return protocol_error("bytes of a file sent twice");
    case EntryState::Unwanted:
    case EntryState::Linked:
        break;
    }
    return protocol_error("piece of a skipped file");
}

void ReceiverPieces::drop_piece(std::uint64_t index) {
    dropping_.set(index, dropping_.get(index) + 1);
}

Result<> ReceiverPieces::claim_part(const Piece &piece) {
    const auto [begin, end] = range_of(piece);
    if (entries_.state(piece.index) == EntryState::Partial) {
        // Data can overtake the answer to a Have.
        const auto have = haves_.unanswered(piece.index);
        if (have && begin < *have) {
            haves_.ignore(piece.index);
            restart(piece.index, *have);
        }
    }
    PartialFile &file = partial_[piece.index];
    if (entries_.state(piece.index) != EntryState::Partial) {
        entries_.set_state(piece.index, EntryState::Partial);
    }
    if (ends_stream(piece)) {
        ++file.in_flight;
        return {};
    }
    if (!repeated_.contains(piece.index) && file.claimed.overlaps(begin, end)) {
        return protocol_error("bytes of a file sent twice");
    }
    claim_range(file, begin, end);
    ++file.in_flight;
    return ranges_ <= kMaxRanges + own_ranges_ ? Result<>{}
                                               : protocol_error("too many gaps in received files");
}

void ReceiverPieces::resume_from(const Have &have, std::vector<Extents::Run> extents,
                                 std::optional<std::uint64_t> fetched) {
    const Piece beginning{.index = have.index, .offset = 0, .length = have.offset};
    const auto [begin, end] = range_of(beginning);
    PartialFile &file = partial_[have.index];
    entries_.set_state(have.index, EntryState::Partial);
    if (begin < end) {
        claim_range(file, begin, end);
        add_written(beginning);
        ++own_ranges_;
    }
    if (prefetching_) {
        resumed_.insert(have.index);
    }
    haves_.send(have, end, std::move(extents), fetched);
}

void ReceiverPieces::restart(std::uint64_t index, std::uint64_t end) {
    out_.events.emplace_back(ReceiverRestarted{index});
    if (end > 0) {
        clear_range(index, 0, end);
    }
    drop_if_empty(index);
}

void ReceiverPieces::claim_range(PartialFile &file, std::uint64_t begin, std::uint64_t end) {
    ranges_ -= file.claimed.count();
    file.claimed.add(begin, end);
    ranges_ += file.claimed.count();
}

void ReceiverPieces::add_written(const Piece &piece) {
    const auto [begin, end] = range_of(piece);
    const std::uint64_t added = partial_.at(piece.index).written.add(begin, end);
    partial_bytes_ += std::min(added, entries_.manifest().file_size(piece.index));
}

std::uint64_t ReceiverPieces::clear_range(std::uint64_t index, std::uint64_t begin,
                                          std::uint64_t end) {
    PartialFile &file = partial_.at(index);
    ranges_ -= file.claimed.count();
    file.claimed.remove(begin, end);
    ranges_ += file.claimed.count();
    const std::uint64_t written = file.written.remove(begin, end);
    partial_bytes_ -= std::min(written, entries_.manifest().file_size(index));
    return written;
}

void ReceiverPieces::forget(std::uint64_t index) {
    partial_bytes_ -= present_bytes(index);
    ranges_ -= partial_.at(index).claimed.count();
    partial_.erase(index);
}

void ReceiverPieces::drop_if_empty(std::uint64_t index) {
    const PartialFile &file = partial_.at(index);
    if (file.claimed.empty() && file.written.empty() && file.in_flight == 0 &&
        !haves_.unanswered(index)) {
        forget(index);
        entries_.set_state(index, EntryState::Waiting);
    }
}

bool ReceiverPieces::end_piece(const Piece &piece) {
    const EntryState state = entries_.state(piece.index);
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
        want_again(piece.index);
        out_.messages.emplace_back(
            Skip{.why = Skip::Why::Wanted, .ranges = {{.first = piece.index, .count = 1}}});
    }
    return false;
}

std::uint64_t ReceiverPieces::unclaim(const Piece &piece) {
    if (entries_.state(piece.index) == EntryState::Arriving) {
        entries_.set_state(piece.index, EntryState::Waiting);
        return 0;
    }
    const auto [begin, end] = range_of(piece);
    const std::uint64_t written = clear_range(piece.index, begin, end);
    drop_if_empty(piece.index);
    return written;
}

void ReceiverPieces::on_written(const SegmentPlan &plan) {
    for (const Piece &piece : plan) {
        if (!end_piece(piece)) {
            continue;
        }
        if (entries_.state(piece.index) == EntryState::Arriving) {
            become_complete(piece.index);
            continue;
        }
        if (ends_stream(piece)) {
            finish_stream(piece);
            continue;
        }
        stream_ended_ =
            stream_ended_ || (entries_.manifest().stream(piece.index) && piece.length == 0);
        add_written(piece);
        check_complete(piece.index);
    }
}

void ReceiverPieces::check_complete(std::uint64_t index) {
    if (entries_.state(index) != EntryState::Partial ||
        (entries_.manifest().stream(index) && !stream_ended_)) {
        return;
    }
    const PartialFile &file = partial_.at(index);
    const std::uint64_t needed = std::max<std::uint64_t>(entries_.manifest().file_size(index), 1);
    // A second copy still being written may prove damaged.
    if (file.written.bytes() == needed && file.in_flight == 0 && !haves_.unanswered(index)) {
        become_complete(index);
    }
}

void ReceiverPieces::on_abandoned(const SegmentPlan &plan) {
    for (const Piece &piece : plan) {
        if (entries_.manifest().stream(piece.index) && piece.length == 0) {
            stream_end_.reset();
        }
        if (ends_stream(piece)) {
            static_cast<void>(end_piece(piece));
            continue;
        }
        // The second copy may have damaged the first, which would not be sent again.
        if (end_piece(piece) && unclaim(piece) > 0) {
            request_resend(piece);
        }
    }
}

std::vector<std::uint64_t> ReceiverPieces::on_damaged(const SegmentPlan &plan) {
    std::vector<std::uint64_t> failed;
    for (const Piece &piece : plan) {
        if (!end_piece(piece)) {
            continue;
        }
        if (!ends_stream(piece)) {
            unclaim(piece);
            if (damaged_.size() < kMaxDamaged &&
                damaged_.insert({piece.index, piece.offset}).second) {
                request_resend(piece);
                continue;
            }
        }
        failed.push_back(piece.index);
    }
    return failed;
}

void ReceiverPieces::on_voided(const SegmentPlan &plan) {
    for (const Piece &piece : plan) {
        const bool counts = end_piece(piece);
        if (counts && ends_stream(piece)) {
            finish_stream(piece); // The final piece has no bytes that a disk could lose.
        } else if (counts) {
            unclaim(piece);
            request_resend(piece);
        }
    }
}

void ReceiverPieces::on_lost(const SegmentPlan &plan) {
    for (const Piece &piece : plan) {
        if (end_piece(piece)) {
            unclaim(piece);
            std::uint64_t &length = lost_[{piece.index, piece.offset}];
            length = std::max(length, piece.length);
        }
    }
}

bool ReceiverPieces::holds_unpublished(std::uint64_t index) const {
    return entries_.state(index) == EntryState::Complete ||
           entries_.state(index) == EntryState::Partial;
}

bool ReceiverPieces::on_read_back_wrong(const Piece &piece) {
    const bool again =
        !holds_unpublished(piece.index) || ++read_back_wrong_[piece.index] <= kMaxReadBacks;
    return again && on_bytes_lost(piece);
}

bool ReceiverPieces::on_bytes_lost(const Piece &piece) {
    const std::uint64_t index = piece.index;
    if (!holds_unpublished(index)) {
        return true;
    }
    // Dropped pieces could not be distinguished from resent ones.
    if (dropping_.get(index) > 0) {
        return false;
    }
    // A piece in transit may be voided next and requested again.
    if (const auto partial = partial_.find(index);
        partial != partial_.end() && partial->second.in_flight > 0) {
        repeated_.insert(index);
    }
    if (entries_.state(index) == EntryState::Complete) {
        const Piece all{
            .index = index, .offset = 0, .length = entries_.manifest().file_size(index)};
        const auto [begin, end] = range_of(all);
        claim_range(partial_[index], begin, end);
        entries_.set_state(index, EntryState::Partial);
        add_written(all);
    }
    own_ranges_ += 2;
    unclaim(piece);
    request_resend(piece);
    return true;
}

void ReceiverPieces::request_lost() {
    for (const auto &[place, length] : std::exchange(lost_, {})) {
        request_resend({.index = place.first, .offset = place.second, .length = length});
    }
}

void ReceiverPieces::withdraw(std::uint64_t index, EntryState state) {
    const auto found = partial_.find(index);
    if (entries_.state(index) == EntryState::Arriving) {
        dropping_.set(index, 1);
    } else if (found != partial_.end()) {
        if (found->second.in_flight > 0) {
            dropping_.set(index, found->second.in_flight);
        }
        haves_.ignore(index);
        forget(index);
    }
    entries_.set_state(index, state);
    lost_.erase(lost_.lower_bound({index, 0}), lost_.lower_bound({index + 1, 0}));
}

bool ReceiverPieces::want(std::uint64_t index) {
    if (dropping_.get(index) > 0) {
        entries_.set_state(index, EntryState::Unskipping);
        return false;
    }
    want_again(index);
    return true;
}

void ReceiverPieces::want_again(std::uint64_t index) {
    if (prefetching_ || entries_.state(index) != EntryState::Unwanted) {
        repeated_.insert(index);
    }
    ++wanted_again_;
    entries_.set_state(index, EntryState::Waiting);
}

void ReceiverPieces::become_complete(std::uint64_t index) {
    if (partial_.contains(index)) {
        forget(index);
    }
    entries_.set_state(index, EntryState::Complete);
    complete_files_.push_back(index);
}

bool ReceiverPieces::stream_open() const {
    const auto index = entries_.manifest().stream();
    return index && entries_.is_accepted_file(*index) && entries_.is_missing(*index) &&
           !stream_ended_;
}

std::uint64_t ReceiverPieces::present_bytes(std::uint64_t index) const {
    const auto found = partial_.find(index);
    return found == partial_.end()
               ? entries_.whole_bytes(index)
               : std::min(found->second.written.bytes(), entries_.manifest().file_size(index));
}

std::vector<std::uint64_t> ReceiverPieces::take_complete() {
    // Files can be skipped, removed or fail between completion and this report.
    std::erase_if(complete_files_, [this](std::uint64_t index) {
        return entries_.state(index) != EntryState::Complete;
    });
    return std::exchange(complete_files_, {});
}

void ReceiverPieces::request_resend(const Piece &piece) {
    out_.messages.emplace_back(
        Resend{.index = piece.index, .offset = piece.offset, .length = piece.length});
}

} // namespace thru

#include "transfer/receiver_haves.h"

#include <utility>

#include "transfer/protocol_error.h"

namespace thru {

void ReceiverHaves::send(const Have &have, std::uint64_t end, std::vector<Extents::Run> extents,
                         std::optional<std::uint64_t> fetched) {
    // The last Compare may be answered without runs.
    compares_ += 2 + extents.size() / kMaxExtents;
    parts_ += extents.size() / kMaxDifferent;
    waiting_[have.index] = {
        .end = end, .fetched = fetched, .missing = {}, .extents = std::move(extents)};
    ++sent_;
    out_.messages.emplace_back(have);
}

void ReceiverHaves::add_missing(const Piece &piece) {
    if (const auto found = waiting_.find(piece.index); found != waiting_.end()) {
        found->second.missing.add(piece.offset, piece.offset + piece.length);
    }
}

std::optional<std::uint64_t> ReceiverHaves::unanswered(std::uint64_t index) const {
    const auto found = waiting_.find(index);
    return found == waiting_.end() ? std::nullopt : std::optional(found->second.end);
}

std::uint64_t ReceiverHaves::reused_bytes() const {
    std::uint64_t bytes = 0;
    for (const auto &[index, have] : waiting_) {
        bytes += have.reused_bytes();
    }
    return bytes;
}

void ReceiverHaves::ignore(std::uint64_t index) {
    if (waiting_.erase(index) > 0) {
        ignored_.insert(index);
    }
}

Result<std::optional<ReceiverHaves::Unanswered>> ReceiverHaves::take(std::uint64_t index) {
    if (!entries_.is_accepted_file(index)) {
        return protocol_error("CONFIRM or RESTART for an entry that is not a requested file");
    }
    auto waiting = waiting_.extract(index);
    const EntryState state = entries_.state(index);
    const bool ignored = !waiting && (ignored_.erase(index) > 0 || state == EntryState::Failed ||
                                      state == EntryState::Removed);
    if ((!waiting && !ignored) || ++answers_ > sent_) {
        return protocol_error("CONFIRM or RESTART without a HAVE");
    }
    return waiting ? std::optional(std::move(waiting.mapped())) : std::nullopt;
}

Result<std::optional<ReceiverHaves::Unanswered>> ReceiverHaves::take(const Confirm &confirm) {
    if (!confirm.more) {
        return take(confirm.index);
    }
    const auto taken = take_part(confirm);
    return taken ? Result<std::optional<Unanswered>>(std::nullopt) : std::unexpected(taken.error());
}

Result<> ReceiverHaves::take_part(const Confirm &part) {
    if (!entries_.is_accepted_file(part.index) || parts_ == 0 ||
        part.different.size() != kMaxDifferent) {
        return protocol_error("a part of CONFIRM without a HAVE, too many, or a short one");
    }
    --parts_;
    const auto found = waiting_.find(part.index);
    if (found == waiting_.end()) {
        return {};
    }
    Unanswered &have = found->second;
    if (part.different.front().offset < have.parts_end ||
        part.different.back().offset + part.different.back().length > have.extents_end) {
        return protocol_error("a part of CONFIRM out of its order");
    }
    for (const ByteRange &range : part.different) {
        have.missing.add(range.offset, range.offset + range.length);
        have.parts_end = range.offset + range.length;
    }
    return {};
}

Result<> ReceiverHaves::on_compare(const Compare &compare) {
    if (!entries_.is_accepted_file(compare.index) || compares_ == 0) {
        return protocol_error("COMPARE for an entry without a HAVE, or too many");
    }
    --compares_;
    Extents known{.index = compare.index, .offset = compare.offset, .takes_parts = true};
    if (const auto found = waiting_.find(compare.index); found != waiting_.end()) {
        Unanswered &have = found->second;
        if (compare.offset != have.extents_end) {
            return protocol_error("COMPARE out of its order");
        }
        while (have.extents_sent < have.extents.size() && known.runs.size() < kMaxExtents) {
            known.runs.push_back(have.extents[have.extents_sent++]);
            have.extents_end += known.runs.back().length;
        }
    }
    // Sent even if the file no longer matters: the sender waits for an answer.
    out_.messages.emplace_back(std::move(known));
    return {};
}

} // namespace thru

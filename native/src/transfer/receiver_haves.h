// HAVE messages sent, and their answers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/error.h"
#include "transfer/range_set.h"
#include "transfer/receiver_entries.h"
#include "transfer/receiver_events.h"
#include "wire/control.h"

namespace thru {

class ReceiverHaves {
public:
    /// Both must outlive this.
    ReceiverHaves(const ReceiverEntries &entries, ReceiverOutbox &out)
        : entries_(entries), out_(out) {}

    struct Unanswered {
        /// The end of its bytes in the ranges of ReceiverPieces.
        std::uint64_t end = 0;
        /// Set if it claims bytes of another version: how many of them were fetched.
        std::optional<std::uint64_t> fetched;
        /// The missing ranges below that offset.
        RangeSet missing;
        /// Hashes of the claimed bytes.
        std::vector<Extents::Run> extents;
        /// Number of them already sent, and the offset where those end.
        std::size_t extents_sent = 0;
        std::uint64_t extents_end = 0;
        /// The end of the ranges in parts of the answer.
        std::uint64_t parts_end = 0;

        /// Claimed bytes of another version that were not fetched.
        std::uint64_t reused_bytes() const {
            return fetched ? end - std::min(end, missing.bytes() + *fetched) : 0;
        }
    };

    /// `fetched` is that of Unanswered.
    void send(const Have &have, std::uint64_t end, std::vector<Extents::Run> extents,
              std::optional<std::uint64_t> fetched);
    void add_missing(const Piece &piece);
    /// The `end` of a Have that has no answer yet.
    std::optional<std::uint64_t> unanswered(std::uint64_t index) const;
    /// Bytes of other versions in all Haves that have no answer yet.
    std::uint64_t reused_bytes() const;
    /// The answer to the file's Have, if there is one, no longer matters.
    void ignore(std::uint64_t index);
    /// Takes the Have that was just answered; nullopt if it no longer matters. PeerProtocol
    /// for an unexpected answer.
    Result<std::optional<Unanswered>> take(std::uint64_t index);
    /// The same; also nullopt for a part of the answer.
    Result<std::optional<Unanswered>> take(const Confirm &confirm);
    /// Sends the next hashes. PeerProtocol.
    Result<> on_compare(const Compare &compare);

private:
    Result<> take_part(const Confirm &part);

    const ReceiverEntries &entries_;
    ReceiverOutbox &out_;
    std::unordered_map<std::uint64_t, Unanswered> waiting_;
    /// Unanswered HAVEs that have become irrelevant.
    std::unordered_set<std::uint64_t> ignored_;
    std::uint64_t sent_ = 0;
    std::uint64_t answers_ = 0;
    /// Number of Compares that may still arrive.
    std::uint64_t compares_ = 0;
    /// Number of parts of answers that may still arrive.
    std::uint64_t parts_ = 0;
};

} // namespace thru

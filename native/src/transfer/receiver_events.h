// Events of a receiver for its owner.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "transfer/receiver_chunks.h"
#include "wire/control.h"

namespace thru {

struct ReceiverGreeted {
    std::string name;
    /// The share's id, unchanged if the sender restarts with the same share.
    WireId share{};
    /// The sender is a web page.
    bool browser = false;
};
/// Entries below `end` are offered: sent once the totals are checked, and when the share grew.
struct ReceiverOffered {
    std::uint64_t end = 0;
};
/// All bytes of these files are written and verified: the owner commits and publishes them.
struct ReceiverFilesComplete {
    std::vector<std::uint64_t> indexes;
};
/// Sent once per entry, whichever side failed to read or write it. The owner deletes its part file.
struct ReceiverEntryFailed {
    std::uint64_t index = 0;
    ErrorCode code = ErrorCode::Internal;
};
/// The bytes from a previous attempt are useless: the file is sent from its start.
struct ReceiverRestarted {
    std::uint64_t index = 0;
};
/// These bytes from a previous attempt are useless and will be sent again.
struct ReceiverOutdated {
    std::uint64_t index = 0;
    std::vector<ByteRange> ranges;
};
/// Removed from the share: the owner deletes their part files. Sent once per entry; one event
/// covers all removals since the last take_events().
struct ReceiverRemoved {
    IndexRanges ranges;
};
/// The sender paused or resumed (nullopt).
struct ReceiverPeerPaused {
    std::optional<Pause> pause;
};
/// The sender's user must approve this receiver; the offer follows the approval.
struct ReceiverApprovalAwaited {};
/// The sender reports changes of its share.
struct ReceiverFollowable {};
/// Done has been queued. More may be offered after it.
struct ReceiverFinished {
    Done totals;
};
/// The sender sent BYE after DONE: the connection may be closed.
struct ReceiverReleased {};
/// Some of these are the sender's messages. Hole counts as written, Validator is stored with the
/// part file, and Origin's signature is not verified yet.
using ReceiverEvent =
    std::variant<ReceiverGreeted, LeftOut, ReceiverOffered, ReceiverFilesComplete,
                 ReceiverEntryFailed, ReceiverRestarted, ReceiverOutdated, ReceiverRemoved, Hole,
                 Validator, ReceiverPeerPaused, Origin, ContactRequest, FindPath,
                 ReceiverApprovalAwaited, ReceiverFollowable, ReceiverFinished, ReceiverReleased,
                 ReceiverChunks::Answer, RangeAnswer>;

/// Messages for the sender and events for the owner, both in order.
struct ReceiverOutbox {
    std::vector<ControlMessage> messages;
    std::vector<ReceiverEvent> events;
};

} // namespace thru

// Events of a receiver for its owner.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "wire/control.h"

namespace thru {

struct ReceiverGreeted {
    std::string name;
    /// The share's id: the same when the sender was restarted with it.
    WireId share{};
};
/// Entries below `end` are offered. The first time with the sender's totals checked, and again
/// whenever the share grew.
struct ReceiverOffered {
    std::uint64_t end = 0;
};
/// All bytes of these files are written and verified: commit and publish them.
struct ReceiverFilesComplete {
    std::vector<std::uint64_t> indexes;
};
/// Sent once for each entry, whichever side could not read or write it. Its part file is deleted.
struct ReceiverEntryFailed {
    std::uint64_t index = 0;
    ErrorCode code = ErrorCode::Internal;
};
/// The bytes from a previous attempt are useless: the file comes from its start.
struct ReceiverRestarted {
    std::uint64_t index = 0;
};
/// These bytes from a previous attempt are useless, and are sent again.
struct ReceiverOutdated {
    std::uint64_t index = 0;
    std::vector<ByteRange> ranges;
};
/// Removed from the share: part files are deleted. Sent once for each entry, and together for all
/// since the last take_events().
struct ReceiverRemoved {
    IndexRanges ranges;
};
/// The sender paused or resumed (nullopt).
struct ReceiverPeerPaused {
    std::optional<Pause> pause;
};
/// The sender's person is asked whether this side may have the share: the offer follows the answer.
struct ReceiverApprovalAwaited {};
/// Done is among the messages. More may be offered after it.
struct ReceiverFinished {
    Done totals;
};
/// The sender sent BYE after DONE: the connection can be closed.
struct ReceiverReleased {};
/// Some are messages of the sender: Hole counts as written, Validator is to be stored with the part
/// file, and the signature of Origin is still to be checked.
using ReceiverEvent =
    std::variant<ReceiverGreeted, LeftOut, ReceiverOffered, ReceiverFilesComplete,
                 ReceiverEntryFailed, ReceiverRestarted, ReceiverOutdated, ReceiverRemoved, Hole,
                 Validator, ReceiverPeerPaused, Origin, ContactRequest, FindPath,
                 ReceiverApprovalAwaited, ReceiverFinished, ReceiverReleased>;

/// Messages for the sender and events for the owner, each in order.
struct ReceiverOutbox {
    std::vector<ControlMessage> messages;
    std::vector<ReceiverEvent> events;
};

} // namespace thru

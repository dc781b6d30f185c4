// The sending end of one transfer as a state machine: messages and results in, messages, segments
// and events out. No file, no socket, no clock.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "transfer/manifest_table.h"
#include "wire/control.h"
#include "wire/segment.h"

namespace thru {

/// What the sending end tells its owner.
struct SenderGreeted {
    std::string name;
};
struct SenderAccepted {};
struct SenderProgress {
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
};
/// Told once for each entry, whichever side could not read or write it.
struct SenderEntryFailed {
    std::uint64_t index = 0;
    ErrorCode code = ErrorCode::Internal;
};
/// The receiver has everything it can get; the connection can be closed once messages are sent.
struct SenderFinished {
    Done totals;
};
using SenderEvent =
    std::variant<SenderGreeted, SenderAccepted, SenderProgress, SenderEntryFailed, SenderFinished>;

/// Used on the network thread only.
class Sender {
public:
    /// `manifest` may still be growing; it is read only after on_manifest_complete.
    Sender(std::shared_ptr<const ManifestTable> manifest, std::string own_name);

    /// PeerProtocol, PeerVersion, or the code of the receiver's Bye (Declined, Cancelled, ...).
    Result<> on_control(const ControlMessage &message);

    /// The manifest is frozen: the offer is made.
    void on_manifest_complete();

    /// The next segment to read and send; nullopt when there is none (yet).
    std::optional<SegmentPlan> next_segment();

    /// Entry `index` of a segment could not be read: tells the receiver, and plans the rest of
    /// that segment again. To be called when the receiver has acknowledged the reset of that
    /// segment's stream: the new plan must not overtake it, or its pieces would seem to overlap.
    void on_entry_failed(const SegmentPlan &plan, std::uint64_t index, ErrorCode code);

    std::vector<ControlMessage> take_messages();
    std::vector<SenderEvent> take_events();

private:
    enum class Phase : std::uint8_t { Greeting, Offering, Sending, Finished };
    Result<> on_hello(const Hello &hello);
    Result<> on_select();
    Result<> on_durable(const Durable &durable);
    Result<> on_remote_failure(const EntryFailed &failure);
    Result<> on_done(const Done &done);
    Result<> on_bye(const Bye &bye);
    /// False when it was known already.
    bool mark_failed(std::uint64_t index, ErrorCode code);
    std::optional<SegmentPlan> next_repeated();
    SegmentPlan next_in_order();

    std::shared_ptr<const ManifestTable> manifest_;
    Phase phase_ = Phase::Greeting;
    bool manifest_complete_ = false;
    /// Where the next segment starts.
    std::size_t next_index_ = 0;
    std::uint64_t next_offset_ = 0;
    /// What is left of segments that could not be read to their end.
    std::deque<SegmentPlan> again_;
    std::vector<bool> failed_;
    std::vector<ControlMessage> messages_;
    std::vector<SenderEvent> events_;
};

} // namespace thru

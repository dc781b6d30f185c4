// The receiving end of one transfer as a state machine. No file, no socket, no clock.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "base/error.h"
#include "transfer/manifest_table.h"
#include "transfer/range_set.h"
#include "wire/control.h"
#include "wire/segment.h"

namespace thru {

struct ReceiverGreeted {
    std::string name;
};
/// The manifest is whole and agrees with the sender's totals.
struct ReceiverOffered {};
/// All bytes of a file that came in several segments are written: give it its name.
struct ReceiverFileWhole {
    std::uint64_t index = 0;
};
/// Told once for each entry, whichever side could not read or write it.
struct ReceiverEntryFailed {
    std::uint64_t index = 0;
    ErrorCode code = ErrorCode::Internal;
};
/// Nothing is missing but what failed; Done is among the messages.
struct ReceiverFinished {
    Done totals;
};
/// The sender said goodbye after Done: the connection can go.
struct ReceiverReleased {};
using ReceiverEvent = std::variant<ReceiverGreeted, ReceiverOffered, ReceiverFileWhole,
                                   ReceiverEntryFailed, ReceiverFinished, ReceiverReleased>;

/// Used on the network thread only.
class Receiver {
public:
    explicit Receiver(std::string own_name);

    /// PeerProtocol, PeerVersion, or the code of the sender's Bye.
    Result<> on_control(const ControlMessage &message);
    /// Bytes of the manifest stream. PeerProtocol, LimitExceeded.
    Result<> on_manifest_bytes(ByteView bytes);
    /// Its end mark came.
    bool manifest_whole() const { return decoder_.finished(); }

    /// Asks for everything. Only after ReceiverOffered, and after the folders are made and what
    /// failed there is reported: an offer of folders only is finished at once.
    void accept();

    /// Checks a segment's header before anything of it is written: indexes, kinds, bounds, overlap.
    Result<> on_segment_started(const SegmentPlan &plan);
    /// The segment's hash was right and its data is written. Files that lie whole in this segment
    /// already have their names; `renamed` of them got another one. Entries of it that failed
    /// are reported by on_entry_failed before.
    void on_segment_written(const SegmentPlan &plan, std::uint64_t renamed);
    /// The sender took the segment back: its pieces may come again.
    void on_segment_abandoned(const SegmentPlan &plan);
    /// A file of several segments has its name now.
    void on_file_named(std::uint64_t index, bool renamed);
    /// It can't be written here: tells the sender and goes on without it.
    void on_entry_failed(std::uint64_t index, ErrorCode code);

    /// Complete after ReceiverOffered; shared with the disk pool.
    std::shared_ptr<const ManifestTable> manifest() const;
    /// Verified and written.
    std::uint64_t files() const;
    std::uint64_t bytes() const;

    /// Durable counts are among them at most once for each call.
    std::vector<ControlMessage> take_messages();
    std::vector<ReceiverEvent> take_events();

private:
    enum class Phase : std::uint8_t { Greeting, Listing, Offered, Receiving, Finished };
    enum class EntryState : std::uint8_t {
        /// Nothing of it is here or on its way.
        Waiting,
        /// It lies whole in a segment that is being received.
        Arriving,
        /// Some of its segments came or are coming.
        Partial,
        /// All its bytes are written, its name is not given yet.
        Whole,
        Named,
        Failed,
    };
    struct PartialFile {
        RangeSet claimed;
        /// Bytes of the segments that were verified and written.
        std::uint64_t written = 0;
    };

    Result<> on_hello(const Hello &hello);
    Result<> on_offer(const Offer &offer);
    Result<> on_remote_failure(const EntryFailed &failure);
    Result<> on_bye(const Bye &bye);
    Result<> check_offered();
    Result<> claim(const Piece &piece);
    Result<> claim_part(const Piece &piece);
    void drop_partial(std::uint64_t index);
    bool is_whole(const Piece &piece) const;
    /// False when the entry is complete, was known to have failed, or nothing counts any more.
    bool mark_failed(std::uint64_t index, ErrorCode code);
    void check_finished();

    Phase phase_ = Phase::Greeting;
    ManifestDecoder decoder_;
    std::optional<Offer> offer_;
    std::shared_ptr<ManifestTable> manifest_;
    std::vector<EntryState> states_;
    std::unordered_map<std::uint64_t, PartialFile> partial_;
    /// Ranges in all of partial_: a bound on what a peer can make us remember.
    std::size_t ranges_ = 0;
    /// Complete files and the bytes of all segments written, failed files left out.
    Durable durable_;
    Durable reported_;
    std::uint64_t failed_files_ = 0;
    std::uint64_t problems_ = 0;
    std::uint64_t renamed_ = 0;
    std::vector<ControlMessage> messages_;
    std::vector<ReceiverEvent> events_;
};

} // namespace thru

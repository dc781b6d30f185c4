// Messages of the control stream: bytes <-> structs. Normative text:
// docs/protocol.md#control-stream
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>

#include "base/bytes.h"
#include "base/error.h"
#include "wire/index_ranges.h"
#include "wire/segment.h"

namespace thru {

/// Random numbers that outlive a connection: of a share, and of a receive through all its
/// reconnections.
using WireId = std::array<std::uint8_t, 16>;

/// HELLO's version of a sender that offers a stream; all else is as in version 1.
inline constexpr std::uint64_t kStreamVersion = 2;

/// First message of each side.
struct Hello {
    std::uint64_t version = 1;
    /// Shown to the other person; at most 64 bytes of UTF-8.
    std::string name;
    /// Sender: the share's. Receiver: this receive's, the same when it resumes.
    WireId id{};
};

/// Sender: the manifest has been scanned whole once; totals of the first checkpoint.
struct Offer {
    std::uint64_t files = 0;
    std::uint64_t folders = 0;
    std::uint64_t links = 0;
    std::uint64_t bytes = 0;
};

/// Why the sender leaves things out of what was shared, how many, and which.
struct LeftOutReason {
    ErrorCode code = ErrorCode::Internal;
    /// Entries; a folder that can't be listed is one.
    std::uint64_t entries = 0;
    /// The paths of the first, as in the manifest.
    std::vector<std::string> paths;
    bool operator==(const LeftOutReason &) const = default;
};

/// Sender: what is in the shared items and will not come, all of it; replaces what was said before.
struct LeftOut {
    std::vector<LeftOutReason> reasons;
    bool operator==(const LeftOut &) const = default;
};

/// The limit for one transfer: a share of 10,000 items that are added and removed one by one stays
/// below it.
inline constexpr std::uint64_t kMaxLeftOutMessages = 20'000;
/// Each code comes once; there are fewer that a scan can meet.
inline constexpr std::size_t kMaxLeftOutReasons = 16;
/// What a person looks at before the count says enough.
inline constexpr std::size_t kMaxLeftOutPaths = 5;
/// Longer ones are only counted: so all that are named fit one message.
inline constexpr std::size_t kMaxLeftOutPathBytes = 512;

/// Receiver: send every file with an index below `end` that was not skipped. Comes again with a
/// higher `end` when the share grew.
struct Request {
    std::uint64_t end = 0;
};

/// Receiver: what it has, with what it had before. Bytes of a segment count as they are written,
/// before its hash is known and before anything is synced.
struct Progress {
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
};

/// Either side: the entry can't be read or written and will not come.
struct EntryFailed {
    std::uint64_t index = 0;
    ErrorCode code = ErrorCode::Internal;
};

/// Receiver: nothing is missing but what failed or was skipped, and all of it is on the disk.
struct Done {
    /// Entries of the manifest that it knows: the sender may have added more meanwhile.
    std::uint64_t entries = 0;
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
    std::uint64_t problems = 0;
    std::uint64_t renamed = 0;
    /// The number of `files` that the target had before, and their bytes.
    std::uint64_t identical = 0;
    std::uint64_t identical_bytes = 0;
    /// The number of `identical` files that were compared by size and time alone.
    std::uint64_t uncompared = 0;
};

/// Either side: the transfer is over; no code when it ended well.
struct Bye {
    std::optional<ErrorCode> code;
};

/// Receiver: these entries need not come. `Wanted` revokes that: they come from their start.
struct Skip {
    enum class Why : std::uint8_t {
        /// Not chosen, or left out by a conflict policy.
        Unwanted = 0,
        /// Complete already: counts as done.
        Present = 1,
        /// Chosen after all.
        Wanted = 2,
    };
    Why why = Why::Unwanted;
    IndexRanges ranges;
};

/// Receiver: the first `offset` bytes of the file are present from a previous attempt; `hash` is
/// the BLAKE3 of [hash_begin, offset). The sender answers Confirm and continues at `offset`, or
/// Restart; before that it may ask for more by Compare.
struct Have {
    std::uint64_t index = 0;
    std::uint64_t offset = 0;
    std::uint64_t hash_begin = 0;
    Hash hash{};
    /// The validator of that time; zero when there was none.
    WireId validator{};
};

/// Sender: the claimed bytes are not what it would send now: the file comes from its start.
struct Restart {
    std::uint64_t index = 0;
};

/// Sender, before the first segment of a file that takes several: stands for the very version of
/// the file on its disk. Equal later: nobody touched it.
struct Validator {
    std::uint64_t index = 0;
    WireId validator{};
};

/// Receiver: these bytes are needed once more: their segment's hash was wrong, they read back
/// wrong, or there was no room for them.
struct Resend {
    std::uint64_t index = 0;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
};

/// Sender: a run of zeros that is not sent, a hole of a sparse file.
struct Hole {
    std::uint64_t index = 0;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
};

/// A shorter hole is cheaper to send as data, unless the file ends with it.
inline constexpr std::uint64_t kMinHoleBytes = 64 * 1024;
/// The limit for one transfer: each is a job for the receiver's disk and a record of its journal.
/// Further holes are sent as data.
inline constexpr std::uint64_t kMaxHoles = 1'000'000;

/// Either side: no data until Resume. Both sides may have paused; data flows when none has.
struct Pause {
    enum class Why : std::uint8_t {
        Person = 0,
        /// Receiver: its disk is full.
        DiskFull = 1,
    };
    Why why = Why::Person;
    /// Bytes that have to become free; 0 when unknown.
    std::uint64_t need = 0;
    bool operator==(const Pause &) const = default;
};
struct Resume {};

/// Sender: these entries were taken out of the share.
struct Removed {
    IndexRanges ranges;
};

/// Receiver: these entries first, in this order, before all others.
struct Prioritize {
    IndexRanges ranges;
};

/// Receiver: at most so many bytes of files a second; 0 for no limit.
struct Rate {
    std::uint64_t bytes_per_second = 0;
};

/// Bytes of one file.
struct ByteRange {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    bool operator==(const ByteRange &) const = default;
};

/// Sender: the claimed bytes are what it would send now, except for some ranges. A file that begins
/// with bytes from a previous attempt is complete only after this.
struct Confirm {
    std::uint64_t index = 0;
    /// Ranges that the receiver has to request again by Resend, in order and disjoint.
    std::vector<ByteRange> different{};
};

/// Ranges of one Confirm.
inline constexpr std::size_t kMaxDifferent = 1024;

/// Either side: asks to become contacts. The key's owner signed what only this connection has, so
/// that nobody can show a key that is not its own.
struct ContactRequest {
    std::array<std::uint8_t, 32> public_key{};
    std::array<std::uint8_t, 64> signature{};
};

/// Sender, between Hello and Offer: a key that stays the same when it offers the same items again,
/// signed over this very connection. A sender that shows it again is that of a previous attempt.
struct Origin {
    std::array<std::uint8_t, 32> public_key{};
    std::array<std::uint8_t, 64> signature{};
};

/// Sender, between Hello and Offer: its person is asked whether this receiver may have the share.
/// Nothing of it comes before the answer.
struct ApprovalWanted {};

/// Receiver: whether the sender shall take only what others leave of the network.
struct LeaveRoom {
    enum class Wanted : std::uint8_t { No, Yes };
    Wanted wanted = Wanted::Yes;
};

/// Either side: a search for a direct path beside the relayed one that this goes by.
struct FindPath {
    /// The receiver counts them from 1 on; 0 of a sender that asks for the next one.
    std::uint16_t search = 0;
    /// Candidates of this side, as SDP lines (RFC 8839 section 5.1); unchecked.
    std::vector<std::string> candidates;
    bool operator==(const FindPath &) const = default;
};

/// Of all messages about one search.
inline constexpr std::size_t kMaxPathCandidates = 32;
/// Longer ones are not sent.
inline constexpr std::size_t kMaxPathCandidateBytes = 512;

/// Sender: it can't tell by the Have alone which of the claimed bytes are the same.
struct Compare {
    std::uint64_t index = 0;
    /// From here on the receiver's hashes are wanted: 0, then the end of the last Extents.
    std::uint64_t offset = 0;
};

/// Receiver, for each Compare: hashes of what it claimed, run behind run.
struct Extents {
    struct Run {
        std::uint64_t length = 0;
        /// Zeros for a run of zeros.
        ShortHash hash{};
        bool operator==(const Run &) const = default;
    };
    std::uint64_t index = 0;
    std::uint64_t offset = 0;
    /// Empty: there are no more hashes, or the file no longer matters.
    std::vector<Run> runs;
};

/// Runs of one Extents.
inline constexpr std::size_t kMaxExtents = 1024;

/// Hashes of the bytes that are present of files in progress, by entry.
using ClaimedExtents = std::unordered_map<std::uint64_t, std::vector<Extents::Run>>;

/// A message's number on the wire is its place here, counted from 1. Places are never used again
/// for something else: new messages go to the end.
using ControlMessage = std::variant<Hello, Offer, Request, Progress, EntryFailed, Done, Bye, Skip,
                                    Have, Restart, Validator, Resend, Hole, Pause, Resume, Removed,
                                    Prioritize, Rate, Confirm, ContactRequest, Origin, LeftOut,
                                    ApprovalWanted, LeaveRoom, FindPath, Compare, Extents>;

/// Largest payload of one control message, in bytes.
inline constexpr std::size_t kMaxControlPayload = 64 * 1024;

/// Appends the encoded message to `out`.
void encode(const ControlMessage &message, Bytes &out);

/// Cuts a byte stream into messages. Memory is bounded by one message of kMaxControlPayload.
class ControlDecoder {
public:
    void feed(ByteView bytes);

    /// The next whole message; nullopt when more bytes are needed; PeerProtocol when malformed
    /// (then the decoder is done for). Unknown message types are skipped.
    Result<std::optional<ControlMessage>> next();

    /// Messages of unknown types that were skipped since the last call.
    std::uint64_t take_skipped() { return std::exchange(skipped_, 0); }

    /// Feeds `bytes` and hands every message that is whole to `handle`, a function that returns
    /// Result<>. The first error, the decoder's or handle's, ends it.
    template <class Handle> Result<> each(ByteView bytes, Handle handle) {
        feed(bytes);
        for (;;) {
            auto message = next();
            if (!message) {
                return std::unexpected(message.error());
            }
            if (!*message) {
                return {};
            }
            if (auto handled = handle(**message); !handled) {
                return handled;
            }
        }
    }

private:
    Bytes buffer_;
    std::size_t read_ = 0;
    std::uint64_t skipped_ = 0;
};

} // namespace thru

// Messages of the control stream as structs. Normative text: docs/protocol.md#control-stream
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "wire/creation_time.h"
#include "wire/extended_attribute.h"
#include "wire/hard_link.h"
#include "wire/index_ranges.h"
#include "wire/segment.h"

namespace thru {

/// Random numbers that outlive a connection: of a share, and of a receive across its reconnections.
using WireId = std::array<std::uint8_t, 16>;

/// HELLO's version if the sender offers a stream; all else is as in version 1.
inline constexpr std::uint64_t kStreamVersion = 2;

/// Hello::takes: the receiver takes FileAttributes.
inline constexpr std::uint64_t kTakesAttributes = 1;
/// Hello::takes: the receiver takes CreationTimes.
inline constexpr std::uint64_t kTakesCreationTimes = 8;
/// Hello::takes: the receiver takes either also of folders.
inline constexpr std::uint64_t kTakesThoseOfFolders = 16;

/// The first message of each side.
struct Hello {
    std::uint64_t version = 1;
    /// The name shown to the other person; at most 64 bytes of UTF-8.
    std::string name;
    /// The sender's share, or the receiver's receive; a receive keeps its ID when it resumes.
    WireId id{};
    /// This side is a web page. Only to be shown: a page could claim to be none.
    bool browser = false;
    /// Receiver: a set of kTakes bits. Others are for later versions.
    std::uint64_t takes = 0;
};

/// Sender: the first scan of the manifest is complete; totals of the first checkpoint.
struct Offer {
    std::uint64_t files = 0;
    std::uint64_t folders = 0;
    std::uint64_t links = 0;
    std::uint64_t bytes = 0;
};

/// A reason to leave out shared files, with their number and some of their paths.
struct LeftOutReason {
    ErrorCode code = ErrorCode::Internal;
    /// Number of entries; a folder that can't be listed is one.
    std::uint64_t entries = 0;
    /// The first paths, as in the manifest.
    std::vector<std::string> paths;
    bool operator==(const LeftOutReason &) const = default;
};

/// Sender: everything in the shared items that will not be sent. Replaces the previous list.
struct LeftOut {
    std::vector<LeftOutReason> reasons;
    bool operator==(const LeftOut &) const = default;
};

/// The limit for one transfer; adding and removing 10,000 items one by one stays below it.
inline constexpr std::uint64_t kMaxLeftOutMessages = 20'000;
/// Each code occurs once, and a scan can meet fewer than these.
inline constexpr std::size_t kMaxLeftOutReasons = 16;
/// A person reads only a few paths; beyond these the count is enough.
inline constexpr std::size_t kMaxLeftOutPaths = 5;
/// Longer paths are only counted, so all listed paths fit one message.
inline constexpr std::size_t kMaxLeftOutPathBytes = 512;

/// Receiver: send all files below index `end` that were not skipped. Repeated as the share grows.
struct Request {
    std::uint64_t end = 0;
};

/// Receiver: files and bytes that it has, including those from before. A segment's bytes count as
/// they are written, before its hash is known or anything is synced.
struct Progress {
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
};

/// Either side: the entry can't be read or written and will not be transferred.
struct EntryFailed {
    std::uint64_t index = 0;
    ErrorCode code = ErrorCode::Internal;
};

/// Receiver: every entry is on the disk, except failed and skipped ones.
struct Done {
    /// Entries in the manifest as the receiver knows it; the sender may have added more since.
    std::uint64_t entries = 0;
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
    std::uint64_t problems = 0;
    std::uint64_t renamed = 0;
    /// Number of `files` that the target already had, and their bytes.
    std::uint64_t identical = 0;
    std::uint64_t identical_bytes = 0;
    /// Number of `identical` files compared by size and time alone.
    std::uint64_t uncompared = 0;
};

/// Either side: the transfer is over; without a code if it succeeded.
struct Bye {
    std::optional<ErrorCode> code;
};

/// Receiver: don't send these entries. `Wanted` revokes that: send them from their start.
struct Skip {
    enum class Why : std::uint8_t {
        /// Not chosen, or left out by a conflict policy.
        Unwanted = 0,
        /// Already complete; counts as done.
        Present = 1,
        /// Chosen later.
        Wanted = 2,
    };
    Why why = Why::Unwanted;
    IndexRanges ranges;
};

/// Receiver: the first `offset` bytes of the file are present from a previous attempt, or from
/// another version of the file; `hash` is the BLAKE3 of [hash_begin, offset). The sender answers
/// Confirm and continues at `offset`, or answers Restart. Before that it may request more hashes by
/// Compare.
struct Have {
    std::uint64_t index = 0;
    std::uint64_t offset = 0;
    std::uint64_t hash_begin = 0;
    Hash hash{};
    /// The validator from the previous attempt; zero if there was none.
    WireId validator{};
};

/// The validator of bytes from another version of the file: equal to none, so the sender compares
/// all of them.
inline constexpr WireId kBasisValidator = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                           0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

/// Sender: the claimed bytes differ from its own, so it sends the file from its start.
struct Restart {
    std::uint64_t index = 0;
};

/// Sender, before the first segment of a multi-segment file: identifies the exact version of the
/// file on its disk. If it is equal later, the file was not modified.
struct Validator {
    std::uint64_t index = 0;
    WireId validator{};
};

/// Receiver: send these bytes again, after a wrong hash, a wrong read or a full disk.
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
/// The limit for one transfer: each is a disk job and a journal record. Others are sent as data.
inline constexpr std::uint64_t kMaxHoles = 1'000'000;

/// Either side: no data until Resume. Data flows only while neither side has paused.
struct Pause {
    enum class Why : std::uint8_t {
        Person = 0,
        /// Receiver: its disk is full.
        DiskFull = 1,
    };
    Why why = Why::Person;
    /// Bytes that must become free; 0 if unknown.
    std::uint64_t need = 0;
    bool operator==(const Pause &) const = default;
};
struct Resume {};

/// Sender: these entries were removed from the share.
struct Removed {
    IndexRanges ranges;
};

/// Receiver: send these entries in this order before all others.
struct Prioritize {
    IndexRanges ranges;
};

/// Receiver: the maximum rate of file data in bytes per second; 0 for no limit.
struct Rate {
    std::uint64_t bytes_per_second = 0;
};

struct ByteRange {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    std::uint64_t end() const { return offset + length; }
    bool operator==(const ByteRange &) const = default;
};

/// Sender: the claimed bytes equal its own, except for some ranges. A file that begins with bytes
/// from a previous attempt is complete only after this.
struct Confirm {
    std::uint64_t index = 0;
    /// Ranges that the receiver must request by Resend; ordered and disjoint.
    std::vector<ByteRange> different{};
    /// This is not the answer yet: another Confirm continues, or Restart follows after all.
    bool more = false;
};

/// Maximum number of ranges in one Confirm.
inline constexpr std::size_t kMaxDifferent = 1024;

/// Either side: asks the other to become a contact. The signature covers data that only this
/// connection has, so no peer can show a key that it doesn't own.
struct ContactRequest {
    std::array<std::uint8_t, 32> public_key{};
    std::array<std::uint8_t, 64> signature{};
};

/// Sender, between Hello and Offer: a key that stays the same when it offers the same items again,
/// signed for this connection. It identifies the sender of a previous attempt.
struct Origin {
    std::array<std::uint8_t, 32> public_key{};
    std::array<std::uint8_t, 64> signature{};
};

/// Sender, between Hello and Offer: its person must approve first; nothing is sent before that.
struct ApprovalRequested {};

/// Receiver: asks the sender to yield bandwidth to other traffic, or to stop yielding.
struct Background {
    enum class Enabled : std::uint8_t { No, Yes };
    Enabled enabled = Enabled::Yes;
};

/// Either side: a search for a direct path while this connection is relayed.
struct FindPath {
    /// Numbered by the receiver from 1; 0 if the sender requests the next search.
    std::uint16_t search = 0;
    /// This side's candidates as SDP lines (RFC 8839 section 5.1); unchecked.
    std::vector<std::string> candidates;
    bool operator==(const FindPath &) const = default;
};

/// Maximum number of candidates in all messages of one search.
inline constexpr std::size_t kMaxPathCandidates = 32;
/// Longer candidates are not sent.
inline constexpr std::size_t kMaxPathCandidateBytes = 512;

/// Sender: the Have alone doesn't show which of the claimed bytes are equal.
struct Compare {
    std::uint64_t index = 0;
    /// Start of the requested hashes: 0, then the end of the last Extents.
    std::uint64_t offset = 0;
};

/// Receiver, for each Compare: hashes of consecutive runs of the claimed bytes.
struct Extents {
    struct Run {
        std::uint64_t length = 0;
        /// All zeros for a run of zeros.
        ShortHash hash{};
        bool operator==(const Run &) const = default;
    };
    std::uint64_t index = 0;
    std::uint64_t offset = 0;
    /// Empty if there are no more hashes, or the file no longer matters.
    std::vector<Run> runs;
    /// Confirm may have several parts.
    bool takes_parts = false;
};

/// Maximum number of runs in one Extents.
inline constexpr std::size_t kMaxExtents = 1024;

/// Hashes of the present bytes of partial files, by entry.
using ClaimedExtents = std::unordered_map<std::uint64_t, std::vector<Extents::Run>>;

/// Receiver, between Offer and Request: asks for the first files while its user reads the offer.
struct Prefetch {
    /// Maximum number of bytes of file data.
    std::uint64_t bytes = 0;
};

/// Sender: it reports changes of its share. Receiver, in answer: keep the connection after Done,
/// and end it with ShareChanged as soon as the share has changed.
struct Follow {};

/// Receiver, before Request: segments may be compressed.
struct Compress {};

/// Sender, before Offer: entries that are further names of files. Rising by index.
struct HardLinks {
    std::vector<HardLink> links;
};

/// Sender, before Offer: it answers ListChunks.
struct ChunkLists {};

/// Receiver, between Offer and Request: which chunks does the file have? In rising order of index.
struct ListChunks {
    std::uint64_t index = 0;
};

/// Sender, for each ListChunks: consecutive chunks of the file. Several messages make the list.
struct Chunks {
    std::uint64_t index = 0;
    /// Start of the first chunk: 0, then the end of the last Chunks.
    std::uint64_t offset = 0;
    /// The version of the file that has these chunks.
    WireId validator{};
    /// Empty if the file can't be listed; nothing follows then.
    std::vector<Extents::Run> runs;
};

/// Maximum number of chunks in one Chunks.
inline constexpr std::size_t kMaxChunks = 1024;
inline constexpr std::uint64_t kMaxChunkBytes = 1024 * 1024;

/// Receiver, between ListChunks and Request: the hashes of these blocks of a file.
struct ListBlocks {
    std::uint64_t index = 0;
    /// Begins at a multiple of kFileBlockBytes, and ends at one or with the file.
    ByteRange range;
};

/// Sender, for each ListBlocks.
struct FileBlocks {
    std::uint64_t index = 0;
    std::uint64_t offset = 0;
    /// Empty if the file can't be read.
    std::vector<ShortHash> hashes;
};

inline constexpr std::uint64_t kFileBlockBytes = 4096;
/// Maximum number of blocks in one ListBlocks.
inline constexpr std::size_t kMaxBlocks = 1024;

/// Receiver, between ListChunks and Request: send these blocks of a file, while others are copied.
/// Its range is as in ListBlocks.
struct Fetch {
    std::uint64_t index = 0;
    ByteRange range;
};

/// Sender, for each Fetch: its next bytes. Several messages make the range.
struct Fetched {
    std::uint64_t index = 0;
    std::uint64_t offset = 0;
    /// Empty if the file can't be read; nothing of the range follows then.
    std::string bytes;
};

/// Maximum number of bytes in one Fetched.
inline constexpr std::size_t kMaxFetchedBytes = 60ULL * 1024;

/// A message's number on the wire is its position here, from 1, and never reused: append new ones.
using ControlMessage =
    std::variant<Hello, Offer, Request, Progress, EntryFailed, Done, Bye, Skip, Have, Restart,
                 Validator, Resend, Hole, Pause, Resume, Removed, Prioritize, Rate, Confirm,
                 ContactRequest, Origin, LeftOut, ApprovalRequested, Background, FindPath, Compare,
                 Extents, Prefetch, Follow, Compress, HardLinks, ChunkLists, ListChunks, Chunks,
                 FileAttributes, CreationTimes, ListBlocks, FileBlocks, Fetch, Fetched>;

/// Largest payload of one control message, in bytes.
inline constexpr std::size_t kMaxControlPayload = 64 * 1024;

void encode(const ControlMessage &message, Bytes &out);

/// Splits a byte stream into messages. Memory is bounded by one message of kMaxControlPayload.
class ControlDecoder {
public:
    void feed(ByteView bytes);

    /// The next complete message; nullopt if more bytes are needed; PeerProtocol if malformed,
    /// after which the decoder is unusable. Skips messages of unknown types.
    Result<std::optional<ControlMessage>> next();

    /// Number of messages of unknown types skipped since the last call.
    std::uint64_t take_skipped() { return std::exchange(skipped_, 0); }

    /// Feeds `bytes` and passes every complete message to `handle`, a function that returns
    /// Result<>. Returns the first error, from the decoder or from `handle`.
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

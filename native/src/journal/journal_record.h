// The format of a journal: a header, then records, each with a number and a checksum.
// Little-endian.
//
//     u32 length of the payload | u8 type | u64 number | payload | u32 CRC-32C of all before it,
//                                                        continued from that of the journal's id
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/byte_reader.h"
#include "base/bytes.h"
#include "transfer/receive_options.h"
#include "wire/control.h"

namespace thru {

/// An entry's number in a journal, in order of addition; unlike manifest indexes, it never changes.
using Slot = std::uint32_t;

/// Verified bytes of one file.
struct Extent {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    ShortHash hash{};
    std::uint64_t end() const { return offset + length; }
};

/// Entries in the manifest's encoding, which continues across records.
struct EntriesRecord {
    Bytes encoded;
};
/// A part file was made for a file of several segments.
struct OpenRecord {
    Slot slot = 0;
    /// The number in the part file's name.
    std::uint64_t part = 0;
    /// fs::FileId::number; device numbers change when the computer restarts.
    std::uint64_t file = 0;
};
struct ValidatorRecord {
    Slot slot = 0;
    WireId validator{};
};
struct ExtentRecord {
    Slot slot = 0;
    Extent extent;
};
/// Complete files from one segment, in its order, each in a part file.
struct BatchRecord {
    struct Member {
        Slot slot = 0;
        std::uint64_t part = 0;
        std::uint64_t file = 0;
    };
    /// Hash of all members' data together.
    ShortHash hash{};
    std::vector<Member> members;
};
/// Bytes from `begin` to `end` are written but not verified.
struct ProgressRecord {
    Slot slot = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};
struct HoleRecord {
    Slot slot = 0;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
};
/// Extents, batches, holes and progress up to record `covered` are durable.
struct SyncRecord {
    std::uint64_t covered = 0;
};
/// Files that durably have their final names.
struct PublishedRecord {
    struct Item {
        Slot slot = 0;
        std::uint64_t file = 0;
        /// Empty if the file has the name of its place.
        std::string name;
    };
    std::vector<Item> items;
};
/// Invalidates earlier records for this range.
struct VoidRecord {
    Slot slot = 0;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
};
/// No bytes of the file are present.
struct DroppedRecord {
    Slot slot = 0;
};
/// The transfer is complete.
struct EndRecord {};

/// A record's type is its position here, counted from 1.
using JournalRecord = std::variant<EntriesRecord, OpenRecord, ValidatorRecord, ExtentRecord,
                                   BatchRecord, ProgressRecord, HoleRecord, SyncRecord,
                                   PublishedRecord, VoidRecord, DroppedRecord, EndRecord>;

/// The largest payload holds a batch of kMaxPieces files.
inline constexpr std::size_t kMaxRecordPayload = 128 * 1024;
inline constexpr std::size_t kMaxRecordBytes = 4 + 1 + 8 + kMaxRecordPayload + 4;
/// Maximum number of published files in one record; names of maximum length fit.
inline constexpr std::size_t kMaxPublishedItems = 400;

struct NumberedRecord {
    std::uint64_t number = 0;
    /// Carried over from an earlier journal; no SyncRecord covers it.
    bool carried = false;
    JournalRecord record;
};

/// Appends the record; its payload is at most kMaxRecordPayload. `seed` is the journal_seed.
void encode_record(const NumberedRecord &record, std::uint32_t seed, Bytes &out);
/// Takes the next record; nullopt if it is torn, unknown or exceeds a limit.
std::optional<NumberedRecord> decode_record(ByteReader &reader, std::uint32_t seed);

struct JournalHeader {
    /// Random ID of this journal.
    WireId id{};
    WireId share{};
    WireId receive{};
    /// The origin of the only sender; zero after several senders, or one without a key.
    OriginId origin{};
    /// Hash of fs::boot_id(); zero if the system has none.
    ShortHash boot{};
    std::uint64_t volume_device = 0;
    std::uint64_t volume_number = 0;
    /// 1 if the journal outlives its transfer: the next round needs to know what is published.
    std::uint64_t kept = 0;
};

inline constexpr std::size_t kJournalHeaderBytes = 128;
void encode_header(const JournalHeader &header, Bytes &out);
/// Returns nullopt if the header is torn or of another version.
std::optional<JournalHeader> decode_header(ByteView bytes);

std::uint32_t journal_seed(const JournalHeader &header);

} // namespace thru

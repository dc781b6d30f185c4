// What a journal is made of: a header, then records, each numbered and with a checksum of its own.
// Little-endian.
//
//     u32 length of the payload | u8 type | u64 number | payload | u32 CRC-32C of all before it,
//                                                          going on from that of the journal's id
#pragma once

#include <array>
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

/// Number of an entry in a journal, in the order in which it learned of them. Manifests number
/// differently each time a share changes; this stays.
using Slot = std::uint32_t;

/// Verified bytes of one file.
struct Extent {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    ShortHash hash{};
    std::uint64_t end() const { return offset + length; }
};

/// Entries in the manifest's encoding, which continues from record to record.
struct EntriesRecord {
    Bytes encoded;
};
/// A part file was made for a file that comes in several segments.
struct OpenRecord {
    Slot slot = 0;
    /// Number in its name.
    std::uint64_t part = 0;
    /// fs::FileId::number; of devices' numbers a new start of the computer makes others.
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
/// Complete files from one segment, in its order, each in its part file.
struct BatchRecord {
    struct Member {
        Slot slot = 0;
        std::uint64_t part = 0;
        std::uint64_t file = 0;
    };
    /// Hash of all their data together.
    ShortHash hash{};
    std::vector<Member> members;
};
/// Bytes written from `begin` to `end`, not verified yet.
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
/// Files with their final names, durably.
struct PublishedRecord {
    struct Item {
        Slot slot = 0;
        std::uint64_t file = 0;
        /// Empty: the name of its place.
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
/// Nothing of the file is present.
struct DroppedRecord {
    Slot slot = 0;
};
/// The transfer is complete.
struct EndRecord {};

/// A record's type is its place here, counted from 1.
using JournalRecord = std::variant<EntriesRecord, OpenRecord, ValidatorRecord, ExtentRecord,
                                   BatchRecord, ProgressRecord, HoleRecord, SyncRecord,
                                   PublishedRecord, VoidRecord, DroppedRecord, EndRecord>;

/// Largest payload: a batch of kMaxPieces files fits.
inline constexpr std::size_t kMaxRecordPayload = 128 * 1024;
inline constexpr std::size_t kMaxRecordBytes = 4 + 1 + 8 + kMaxRecordPayload + 4;
/// Most named files of one record: with names as long as can be they fit.
inline constexpr std::size_t kMaxPublishedItems = 400;

struct NumberedRecord {
    std::uint64_t number = 0;
    /// Carried over from an earlier journal: no SyncRecord covers it.
    bool carried = false;
    JournalRecord record;
};

/// Appends the record; its payload is at most kMaxRecordPayload. `seed` is journal_seed of the id.
void encode_record(const NumberedRecord &record, std::uint32_t seed, Bytes &out);
/// Takes the next record; nullopt when it is torn, unknown or breaks a limit.
std::optional<NumberedRecord> decode_record(ByteReader &reader, std::uint32_t seed);

struct JournalHeader {
    /// Random identity of this journal.
    WireId id{};
    WireId share{};
    WireId receive{};
    /// The origin of the one sender of all the content; zero after several, or one without a key.
    OriginId origin{};
    /// Hash of fs::boot_id(); zero when the system does not tell.
    ShortHash boot{};
    std::uint64_t volume_device = 0;
    std::uint64_t volume_number = 0;
};

inline constexpr std::size_t kJournalHeaderBytes = 128;
void encode_header(const JournalHeader &header, Bytes &out);
/// nullopt when it is torn, or of another version.
std::optional<JournalHeader> decode_header(ByteView bytes);

std::uint32_t journal_seed(const JournalHeader &header);

} // namespace thru

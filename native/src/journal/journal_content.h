// The content of a journal: published files, and the present parts of others.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "journal/journal_record.h"
#include "transfer/manifest_table.h"

namespace thru {

/// Verified bytes, with the number of their record.
struct KnownExtent {
    Extent extent;
    std::uint64_t record = 0;
};
/// The end of a run of bytes; the map's key is its beginning.
struct KnownEnd {
    std::uint64_t end = 0;
    std::uint64_t record = 0;
};

/// The present bytes of a file from its beginning.
struct FilePrefix {
    /// Holes and gaps may lie between the extents.
    std::vector<KnownExtent> extents;
    /// Missing ranges before the end of the extents, in order.
    std::vector<ByteRange> gaps;
    /// Unverified bytes after the last extent.
    std::optional<KnownEnd> progress;
    std::uint64_t end() const { return extents.empty() ? 0 : extents.back().extent.end(); }
};

/// An unpublished file according to a journal.
struct JournalFile {
    /// Further gaps are not requested one by one: the rest of the file is sent again.
    static constexpr std::size_t kMaxGaps = 65'536;

    /// Ends at the gap after the first `max_gaps`.
    FilePrefix prefix(std::size_t max_gaps) const;

    /// The number in the part file's name; 0 without one.
    std::uint64_t part = 0;
    /// The part file's fs::FileId::number.
    std::uint64_t file = 0;
    WireId validator{};
    /// Keyed by offset.
    std::map<std::uint64_t, KnownExtent> extents;
    /// Holes, keyed by offset.
    std::map<std::uint64_t, KnownEnd> holes;
    /// Written but unverified bytes, keyed by offset.
    std::map<std::uint64_t, KnownEnd> progress;
    /// Length of the longest of `extents` and `progress` so far, in bytes.
    std::uint64_t longest = 0;
    /// The index in JournalContent::batches of a complete file.
    std::optional<std::size_t> batch;
};

struct JournalBatch {
    /// Hash of all members' data together.
    ShortHash hash{};
    std::vector<BatchRecord::Member> members;
    std::uint64_t record = 0;
};

/// Grows record by record. Not thread-safe.
class JournalContent {
public:
    /// The record number of all carried records.
    static constexpr std::uint64_t kCarried = ~std::uint64_t{0};

    JournalContent() : entries_(std::make_unique<ManifestTable>()) {}

    /// Returns false if the record contradicts earlier ones: the journal ends there.
    bool apply(const NumberedRecord &record);
    /// Drops data that was written but may not be durable.
    void drop_unsynced();
    /// Everything except the entries, for a new journal: durable records in `synced`, the others in
    /// `written`. The latter are all carried over if `carry`, otherwise only those carried before.
    struct Records {
        std::vector<JournalRecord> synced;
        std::vector<NumberedRecord> written;
    };
    Records records(bool carry) const;

    /// The entries of these published slots, numbered anew in their order, and nothing else.
    JournalContent only(const std::vector<bool> &slots) const;

    const ManifestTable &entries() const { return *entries_; }
    std::size_t slots() const { return entries_->size(); }
    /// Files with present bytes.
    const std::unordered_map<Slot, JournalFile> &files() const { return files_; }
    const JournalFile *file(Slot slot) const;
    const std::vector<JournalBatch> &batches() const { return batches_; }
    /// True if all members are present, in part files or published; the hash can be compared.
    bool is_complete(std::size_t batch) const;

    struct Published {
        std::uint64_t file = 0;
        /// Empty if the file has the name of its place.
        std::string name;
    };
    /// Returns nullopt if the file is not published.
    std::optional<Published> published(Slot slot) const;
    bool is_synced(std::uint64_t record) const { return record <= covered_; }
    bool ended() const { return ended_; }

private:
    bool apply(const EntriesRecord &record, std::uint64_t number);
    bool apply(const OpenRecord &record, std::uint64_t number);
    bool apply(const ValidatorRecord &record, std::uint64_t number);
    bool apply(const ExtentRecord &record, std::uint64_t number);
    bool apply(const BatchRecord &record, std::uint64_t number);
    bool apply(const ProgressRecord &record, std::uint64_t number);
    bool apply(const HoleRecord &record, std::uint64_t number);
    bool apply(const SyncRecord &record, std::uint64_t number);
    bool apply(const PublishedRecord &record, std::uint64_t number);
    bool apply(const VoidRecord &record, std::uint64_t number);
    bool apply(const DroppedRecord &record, std::uint64_t number);
    bool apply(const EndRecord &record, std::uint64_t number);
    bool within(Slot slot, std::uint64_t offset, std::uint64_t length) const;

    struct PublishedFile {
        std::uint64_t file = 0;
        bool published = false;
    };

    ManifestDecoder decoder_;
    std::unique_ptr<ManifestTable> entries_;
    std::unordered_map<Slot, JournalFile> files_;
    std::vector<JournalBatch> batches_;
    std::vector<PublishedFile> published_;
    /// Names of files published under a name other than that of their place.
    std::unordered_map<Slot, std::string> other_names_;
    std::uint64_t covered_ = 0;
    bool ended_ = false;
};

} // namespace thru

// The content of a journal: which files are published, and which parts of others are present.
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
/// The end of a run of bytes, keyed by its beginning.
struct KnownEnd {
    std::uint64_t end = 0;
    std::uint64_t record = 0;
};

/// The present bytes of a file from its first byte on.
struct FilePrefix {
    /// Holes and gaps may lie between them.
    std::vector<KnownExtent> extents;
    /// The missing ranges before the end of the extents, in order.
    std::vector<ByteRange> gaps;
    /// Unverified bytes behind the last extent.
    std::optional<KnownEnd> progress;
    /// End of the extents.
    std::uint64_t end() const { return extents.empty() ? 0 : extents.back().extent.end(); }
};

/// An unpublished file, as a journal knows it.
struct JournalFile {
    /// More are not asked for one by one: the rest of the file comes again.
    static constexpr std::size_t kMaxGaps = 1024;

    /// Up to the gap behind the first `most_gaps`.
    FilePrefix prefix(std::size_t most_gaps) const;

    /// Number in the part file's name; 0 without one.
    std::uint64_t part = 0;
    /// The part file's fs::FileId::number.
    std::uint64_t file = 0;
    WireId validator{};
    /// By offset.
    std::map<std::uint64_t, KnownExtent> extents;
    /// Holes.
    std::map<std::uint64_t, KnownEnd> holes;
    /// Written, not verified.
    std::map<std::uint64_t, KnownEnd> progress;
    /// Complete: in JournalContent::batches.
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
    /// Number of records that were carried over.
    static constexpr std::uint64_t kCarried = ~std::uint64_t{0};

    JournalContent() : entries_(std::make_unique<ManifestTable>()) {}

    /// False when the record contradicts earlier ones: the journal ends there.
    bool apply(const NumberedRecord &record);
    /// Drops what was written and may not be durable.
    void drop_unsynced();
    /// All of it but the entries, for a new journal: what is known to be on the disk, and what is
    /// not. Of the latter all is carried over if `carry`, else only what was before.
    struct Records {
        std::vector<JournalRecord> synced;
        std::vector<NumberedRecord> written;
    };
    Records records(bool carry) const;

    const ManifestTable &entries() const { return *entries_; }
    std::size_t slots() const { return entries_->size(); }
    /// Files with present bytes.
    const std::unordered_map<Slot, JournalFile> &files() const { return files_; }
    const JournalFile *file(Slot slot) const;
    const std::vector<JournalBatch> &batches() const { return batches_; }
    /// All its members are present, in part files or published: its hash can be compared.
    bool is_complete(std::size_t batch) const;

    struct Published {
        std::uint64_t file = 0;
        /// Empty: the name of its place.
        std::string name;
    };
    /// nullopt when the file is not published.
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
    /// Whether these bytes lie within the file.
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
    /// Names of files that did not get that of their place.
    std::unordered_map<Slot, std::string> other_names_;
    std::uint64_t covered_ = 0;
    bool ended_ = false;
};

} // namespace thru

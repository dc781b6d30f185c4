// The journal of one transfer in its target folder. It records what is present, so that a later
// attempt can resume. It is never ahead of the disk: it lists only stored data.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "fs/file_system.h"
#include "journal/journal_content.h"
#include "journal/journal_record.h"
#include "wire/manifest.h"

namespace thru {

/// Maximum size of a journal, for reading and writing.
inline constexpr std::uint64_t kMaxJournalBytes = 256ULL << 20;

/// `.~thru-7f3c21.journal`; part files of the same transfer have the same tag.
std::string journal_name(std::string_view tag);
/// Suffix of an incomplete journal.
inline constexpr std::string_view kFreshSuffix = ".new";

struct ReadJournal {
    JournalHeader header;
    JournalContent content;
    /// Length up to the first invalid record.
    std::uint64_t bytes = 0;
};
/// Returns nullopt if the header is torn or of another version.
std::optional<JournalHeader> read_header(const fs::FileHandle &file);
/// Reads up to the first damaged, missing or contradictory record; nullopt without a header.
std::optional<ReadJournal> read_journal(const fs::FileHandle &file);

/// Thread-safe.
class Journal {
public:
    /// Creates a locked journal; Exists if the tag is taken. `root` must outlive it.
    static fs::SystemResult<std::unique_ptr<Journal>>
    create(const fs::FileHandle &root, std::string tag, const JournalHeader &header);
    /// Replaces the locked journal `old` with a new one of the same content; records not known to
    /// be durable are carried over. On an error the old one remains.
    static fs::SystemResult<std::unique_ptr<Journal>>
    resume_from(const fs::FileHandle &root, std::string tag, const JournalHeader &header,
                const JournalContent &content, fs::FileHandle old);

    const std::string &tag() const { return tag_; }

    /// Returns nullopt if the journal is full; the entry is then not logged.
    std::optional<Slot> add(const ManifestEntry &entry);
    /// Buffers a record in memory.
    void append(const JournalRecord &record);
    /// True if anything except sync records was logged, so that a later attempt needs the journal.
    bool has_records() const;
    /// Number of the last record.
    std::uint64_t last() const;
    /// Writes appended records. Those that can't be written yet are kept for the next call, within
    /// limits. Beyond these the journal ends, which is no error: its records are true.
    fs::SystemResult<> flush();
    /// flush(), then syncs the data and the journal's name. After an error the next call writes a
    /// new journal, because earlier writes may never reach the disk.
    fs::SystemResult<> sync();
    /// Rewrites the journal without obsolete records if most of it is obsolete.
    void compact_if_large();
    /// All records so far; nullopt if they can't be read back whole.
    std::optional<JournalContent> read_back();
    /// Ends a round: keeps only these published slots of `content`, which read_back() returned, and
    /// numbers them anew. Nothing changes if it fails.
    fs::SystemResult<> keep_only(const JournalContent &content, const std::vector<bool> &slots);
    /// Ends and deletes the journal of a complete transfer.
    fs::SystemResult<> end();

private:
    Journal(const fs::FileHandle &root, std::string tag, const JournalHeader &header);

    /// A locked journal under its fresh name, with only a header.
    static fs::SystemResult<std::unique_ptr<Journal>>
    begin(const fs::FileHandle &root, std::string tag, const JournalHeader &header);
    void remove_fresh();
    /// Replaces the journal by one with this content, and closes `old`, the replaced file, if that
    /// is needed. `carry`: it is a killed process's, whose records are carried over.
    static fs::SystemResult<std::unique_ptr<Journal>>
    rewrite(const fs::FileHandle &root, std::string tag, const JournalHeader &header,
            const JournalContent &content, fs::FileHandle &old, bool carry);
    fs::SystemResult<> copy_from(const JournalContent &content, bool carry);
    void append_locked(const NumberedRecord &record);
    void end_entries();
    fs::SystemResult<> flush_locked();
    void reserve_ahead();
    std::optional<JournalContent> read_back_locked();
    fs::SystemResult<> rewrite_locked(const JournalContent &content);
    void reopen_locked(const fs::SystemError &error);

    const fs::FileHandle &root_;
    std::string tag_;
    JournalHeader header_;
    std::uint32_t seed_ = 0;

    mutable std::mutex mutex_;
    fs::FileHandle file_;
    ManifestEncoder encoder_;
    /// Encoded entries that are not in a record yet.
    Bytes entries_;
    std::uint64_t slots_ = 0;
    std::uint64_t entry_bytes_ = 0;
    std::uint64_t path_bytes_ = 0;
    std::uint64_t file_bytes_ = 0;
    Bytes buffer_;
    std::uint64_t number_ = 0;
    std::uint64_t written_ = 0;
    std::uint64_t reserved_ = 0;
    std::uint64_t compact_at_ = 0;
    bool name_synced_ = false;
    /// True after a failed sync: the disk may have a gap, and records after it would be ignored.
    bool doubtful_ = false;
    bool has_records_ = false;
    /// The reason that writing has stopped: records after a gap would be ignored.
    std::optional<fs::SystemError> broken_;
};

} // namespace thru

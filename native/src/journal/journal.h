// The journal of one transfer in its target folder: what is present, so that a later attempt can
// resume. Always behind the disk: it never claims what is not stored.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "fs/file_system.h"
#include "journal/journal_content.h"
#include "journal/journal_record.h"
#include "wire/manifest.h"

namespace thru {

/// Most bytes of a journal that are read, or written.
inline constexpr std::uint64_t kMaxJournalBytes = 256ULL << 20;

/// `.~thru-7f3c21.journal`; parts of the same transfer have the same tag.
std::string journal_name(std::string_view tag);
/// Suffix of a journal that is not complete yet.
inline constexpr std::string_view kFreshSuffix = ".new";

/// A journal that was read.
struct ReadJournal {
    JournalHeader header;
    JournalContent content;
    /// Bytes up to the first record that does not count.
    std::uint64_t bytes = 0;
};
/// nullopt when it is torn, or of another version.
std::optional<JournalHeader> read_header(const fs::FileHandle &file);
/// Up to the first record that is damaged, missing or contradicts those before; nullopt without a
/// header.
std::optional<ReadJournal> read_journal(const fs::FileHandle &file);

/// Thread-safe.
class Journal {
public:
    /// A new one, locked for this process; Exists when the tag is taken. `root` outlives it.
    static fs::SystemResult<std::unique_ptr<Journal>>
    create(const fs::FileHandle &root, std::string tag, const JournalHeader &header);
    /// Replaces the locked journal that was read from `old`, with all its content; records not
    /// known to be durable are carried over. On an error the old one stays as it is.
    static fs::SystemResult<std::unique_ptr<Journal>>
    resume_from(const fs::FileHandle &root, std::string tag, const JournalHeader &header,
                const JournalContent &content, fs::FileHandle old);

    const std::string &tag() const { return tag_; }

    /// nullopt when the journal is full: then nothing is logged about the entry.
    std::optional<Slot> add(const ManifestEntry &entry);
    /// Buffers a record in memory.
    void append(const JournalRecord &record);
    /// Whether anything but sync records was logged: a later attempt needs the journal then.
    bool has_records() const;
    /// Number of the last record.
    std::uint64_t last() const;
    /// Writes what was appended. What can't be written now is kept for the next time, within
    /// limits; beyond them the journal ends there, which is no error: its records are true.
    fs::SystemResult<> flush();
    /// flush(), then syncs the data and the journal's name. After an error the next call writes a
    /// new journal: what was written before may never reach the disk.
    fs::SystemResult<> sync();
    /// Rewrites the journal without obsolete records, when these are most of it.
    void compact_if_large();
    /// The transfer is complete: ends and deletes it.
    fs::SystemResult<> end();

private:
    Journal(const fs::FileHandle &root, std::string tag, const JournalHeader &header);

    /// Under its fresh name, locked, with nothing but the header.
    static fs::SystemResult<std::unique_ptr<Journal>>
    begin(const fs::FileHandle &root, std::string tag, const JournalHeader &header);
    void remove_fresh();
    /// A journal of this content in the place of the one with its name. `old` is the journal that a
    /// killed process left, whose records are carried over; nullptr for one of this process.
    static fs::SystemResult<std::unique_ptr<Journal>>
    rewrite(const fs::FileHandle &root, std::string tag, const JournalHeader &header,
            const JournalContent &content, fs::FileHandle *old);
    fs::SystemResult<> copy_from(const JournalContent &content, bool carry);
    void append_locked(const NumberedRecord &record);
    void end_entries();
    fs::SystemResult<> flush_locked();
    void reserve_ahead();
    fs::SystemResult<> rewrite_locked();

    const fs::FileHandle &root_;
    std::string tag_;
    JournalHeader header_;
    std::uint32_t seed_ = 0;

    mutable std::mutex mutex_;
    fs::FileHandle file_;
    ManifestEncoder encoder_;
    /// Encoded entries that are no record yet.
    Bytes entries_;
    std::uint64_t slots_ = 0;
    std::uint64_t entry_bytes_ = 0;
    std::uint64_t path_bytes_ = 0;
    std::uint64_t file_bytes_ = 0;
    /// Records that are not written yet.
    Bytes buffer_;
    std::uint64_t number_ = 0;
    std::uint64_t written_ = 0;
    std::uint64_t reserved_ = 0;
    std::uint64_t compact_at_ = 0;
    bool name_synced_ = false;
    /// A sync failed: there may be a gap on the disk, and no record after it would count.
    bool doubtful_ = false;
    bool has_records_ = false;
    /// Why nothing more is written: records after a gap would not count.
    std::optional<fs::SystemError> broken_;
};

} // namespace thru

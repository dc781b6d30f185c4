// The journal of one transfer in the folder that it is received into: what is here, so that a later
// attempt can go on from it. Always behind the disk: it never tells of what is not there.
// Private to io/.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "io/file_system.h"
#include "io/journal_content.h"
#include "io/journal_record.h"
#include "wire/manifest.h"

namespace thru {

/// Most bytes of a journal that are read, or written.
inline constexpr std::uint64_t kMaxJournalBytes = 256ULL << 20;

/// `.~thru-7f3c21.journal`; parts of the same transfer have the same tag.
std::string journal_name(std::string_view tag);
/// Behind the name of a journal that is not whole yet.
inline constexpr std::string_view kFreshSuffix = ".new";

/// A journal and what it says.
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
    /// Takes the place of one that was read from `old` and is locked, with all that it says; what
    /// is not known to be on the disk is carried over. On an error the old one stays as it is.
    static fs::SystemResult<std::unique_ptr<Journal>>
    resume_from(const fs::FileHandle &root, std::string tag, const JournalHeader &header,
                const JournalContent &content, fs::FileHandle old);

    const std::string &tag() const { return tag_; }

    /// nullopt when the journal holds as many as it can: then nothing is told of the entry.
    std::optional<Slot> add(const ManifestEntry &entry);
    /// Into memory.
    void append(const JournalRecord &record);
    /// It was told of something that is in the folder: a later attempt has to know.
    bool has_records() const;
    /// Number of the last record.
    std::uint64_t last() const;
    /// Hands what was appended to the system. What can't be written now is kept for the next time,
    /// within limits; beyond them the journal ends there, which is no error: what it tells is true.
    fs::SystemResult<> flush();
    /// flush(), and onto the disk, its name, too.
    fs::SystemResult<> sync();
    /// Writes it anew without what does not matter any more, when that is most of it.
    void compact_if_large();
    /// The transfer is complete: ends and deletes it.
    fs::SystemResult<> end();

private:
    Journal(const fs::FileHandle &root, std::string tag, const JournalHeader &header);

    /// Under its fresh name, locked, with nothing but the header.
    static fs::SystemResult<std::unique_ptr<Journal>>
    begin(const fs::FileHandle &root, std::string tag, const JournalHeader &header);
    void remove_fresh();
    static fs::SystemResult<std::unique_ptr<Journal>>
    rewrite(const fs::FileHandle &root, std::string tag, const JournalHeader &header,
            const JournalContent &content, bool carry);
    fs::SystemResult<> copy_from(const JournalContent &content, bool carry);
    void append_locked(const NumberedRecord &record);
    void end_entries();
    fs::SystemResult<> flush_locked();
    void reserve_ahead();

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
    bool has_records_ = false;
    /// Why it ends with what was written: records after a gap would not count.
    std::optional<fs::SystemError> broken_;
};

} // namespace thru

// Data of a previous attempt at the files that are offered now.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "crypto/digest.h"
#include "fs/file_system.h"
#include "journal/journal_search.h"
#include "names/name_map.h"
#include "target/part_store.h"
#include "target/target.h"
#include "transfer/manifest_table.h"
#include "wire/control.h"

namespace thru {

/// Already published; an empty name means the entry's own.
struct ResumedPublished {
    std::string name;
    std::uint64_t file = 0;
    std::uint32_t mode = 0;
    /// The journal has no record of the publication yet.
    bool unlogged = false;
};
/// Complete, in its part file.
struct ResumedComplete {
    PartFile part;
};
/// The first bytes of a large file.
struct ResumedPartial {
    PartFile part;
    Have have;
    /// The missing ranges below the offset of `have`, in order.
    std::vector<ByteRange> gaps;
    /// Hashes of the whole prefix, by which the sender finds differences; empty for another sender.
    std::vector<Extents::Run> extents;
    /// Extents that are possibly not durable; the last may exceed the verified data.
    std::vector<Extent> unsynced;
    /// Holes that are possibly not durable.
    std::vector<Hole> unsynced_holes;
    /// The journal has unused records of bytes beyond the prefix.
    bool stepped_back = false;
    /// A copy of another version, not in the journal yet.
    bool of_basis = false;
    /// Bytes allocated to the part file on the disk.
    std::uint64_t allocated = 0;
};
using Resumed = std::variant<std::monostate, ResumedPublished, ResumedComplete, ResumedPartial>;

/// Maximum number of part files of one attempt.
inline constexpr std::uint64_t kMaxParts = 1 << 24;

/// One thread at a time.
class PreviousAttempt {
public:
    /// `same_sender`: all came from the current sender. Otherwise only content counts: the rest may
    /// be forged. `first_part`: this attempt's first part number. References must outlive this.
    PreviousAttempt(FoundJournal found, bool same_sender, std::uint64_t first_part,
                    const Target &target, const NameMap &names, const ManifestTable &manifest);

    const JournalContent &content() const { return found_.journal.content; }

    /// The journal's slot for this version of the file. Match all entries before inspecting any.
    std::optional<Slot> match(std::uint64_t index);
    /// True if some data came from another sender: only content counts then.
    bool of_other_sender() const { return !same_sender_; }
    /// The present data of a matched entry; changes nothing. From another sender only parts, to be
    /// confirmed by a hash of all their bytes.
    Resumed inspect(std::uint64_t index, Slot slot);
    struct OtherVersion {
        /// Its part file's name in the entry's folder.
        std::string name;
        /// The end of its bytes, some of which may be missing.
        std::uint64_t end = 0;
    };
    /// Another version of the entry from the same sender, of which a part file has the most.
    std::optional<OtherVersion> other_version(std::uint64_t index) const;
    /// Adds what find_unlogged found.
    void add_published(const PublishedRecord &published);
    /// The published file of a slot whose publication is not logged.
    std::optional<ResumedPublished> find_unlogged(Slot slot);
    /// True if the journal has records of the slot.
    bool knows(Slot slot) const;
    /// True if the journal's records of the slot may be dropped. A file of another sender stays on
    /// record: it would otherwise pass for the current sender's.
    bool can_forget(Slot slot) const;
    /// The number of its part file; 0 without one.
    std::uint64_t part(Slot slot) const;

    /// Deletes part files in the folder that the journal does not list.
    void remove_unknown_parts(const fs::FileHandle &folder) const;
    /// Deletes the part files of unmatched slots.
    void remove_unmatched();

private:
    std::optional<SafeRelPath> place(Slot slot) const;
    fs::SystemResult<fs::FileStatus> status(std::string_view folder, const std::string &name);
    /// The file with this number, under its own name or a numbered one.
    std::optional<ResumedPublished> find_final(const SafeRelPath &place, std::uint64_t size,
                                               std::uint64_t file);
    std::optional<ResumedPublished> find_linked(std::uint64_t index, const SafeRelPath &place);
    std::optional<std::string> name_of(const BatchRecord::Member &member, const SafeRelPath &at);
    std::optional<ResumedPartial> inspect_partial(std::uint64_t index, const JournalFile &file,
                                                  PartFile part);
    void cut_damaged(const fs::FileHandle &file, FilePrefix &prefix, bool all) const;
    bool is_batch_intact(std::size_t batch);
    bool hash_member(const BatchRecord::Member &member, Blake3 &hasher);
    void remove_part(Slot slot);

    FoundJournal found_;
    bool same_sender_;
    std::uint64_t first_part_;
    std::unordered_set<std::uint64_t> known_parts_;
    JournalPaths paths_;
    const NameMap &names_;
    const ManifestTable &manifest_;
    FolderCursor cursor_;
    /// Entry of each matched slot.
    std::unordered_map<Slot, std::uint64_t> matched_;
    std::unordered_map<std::size_t, bool> intact_batches_;
};

} // namespace thru

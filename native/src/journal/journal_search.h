// Finds the journal of an earlier attempt in a folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fs/file_system.h"
#include "journal/journal.h"
#include "names/name_map.h"
#include "transfer/manifest_table.h"
#include "transfer/receive_options.h"
#include "wire/control.h"

namespace thru {

/// Finds a journal's files by path, because a manifest may now number them differently.
class JournalPaths {
public:
    /// `names` of the offer, null if they are the offered ones. Both must outlive this.
    explicit JournalPaths(const JournalContent &content, const NameMap *names = nullptr);
    /// The file with this path, size and time; anything else is another version.
    std::optional<Slot> find(const ManifestTable &manifest, std::size_t index) const;
    /// All versions of the offered file, the latest first.
    std::span<const Slot> versions(const ManifestTable &manifest, std::size_t index) const;
    std::optional<Slot> latest(const ManifestTable &manifest, std::size_t index) const;
    /// The file with this path in the journal in any version; the latest if there are several.
    std::optional<Slot> find(std::string_view path) const;

private:
    std::span<const Slot> versions(std::string_view path) const;

    const JournalContent &content_;
    const NameMap *names_;
    /// Sorted by path; equal paths with the latest first.
    std::vector<Slot> slots_;
};

/// A journal of an earlier attempt, locked for this process.
struct FoundJournal {
    std::string tag;
    fs::FileHandle file;
    ReadJournal journal;
    /// Data of unsynced records may be lost, even without a restart of the computer.
    bool doubtful = false;
};

/// True if the journal is the share's: its ID, which can be forged, and its origin key match.
bool is_of_share(const JournalHeader &header, const TransferIds &ids);

/// The journal of this share in the folder, or one that is kept for the sender. Otherwise the one
/// with the most unfinished files among the manifest's first `end` entries, if from the same sender
/// also in other versions. These must be at least half of its unfinished files, because the others
/// would be lost. Skips journals that are locked or of another version. Deletes those of other
/// transfers that are complete or were never begun, and leftovers of probes.
std::optional<FoundJournal> find_journal(const fs::FileHandle &root, const ManifestTable &manifest,
                                         std::size_t end, const TransferIds &ids,
                                         const NameMap *names = nullptr);

/// Sorted names of journals in the folder, at most as many as an attempt examines.
std::vector<std::string> journal_names(const fs::FileHandle &root);
/// The journal's file, locked; nullopt if another process has it, or it is gone.
std::optional<fs::FileHandle> lock_journal(const fs::FileHandle &root, const std::string &name);
/// The tag in a journal's name, such as `7f3c21`.
std::string journal_tag(std::string_view name);

/// Bytes of unpublished files from an earlier attempt according to its journal, including unwanted
/// files. Changes and locks nothing, so a new attempt can lock the journal meanwhile.
std::uint64_t resumable_bytes(const fs::FileHandle &root, const ManifestTable &manifest,
                              std::size_t end, const NameMap *names = nullptr);

/// Hash of fs::boot_id(); zero if the system has none.
ShortHash current_boot();
/// True if unsynced data of that time is still there: same disk, no restart since.
bool is_same_boot(const JournalHeader &header, const fs::VolumeFacts &volume);

} // namespace thru

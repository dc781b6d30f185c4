// Finds the journal of an earlier attempt in a folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fs/file_system.h"
#include "journal/journal.h"
#include "transfer/manifest_table.h"
#include "transfer/receive_options.h"
#include "wire/control.h"

namespace thru {

/// Finds a journal's files by their paths: a manifest may number them in another way now.
class JournalPaths {
public:
    explicit JournalPaths(const JournalContent &content);
    /// The file of this path, with the same size and time: others are another version.
    std::optional<Slot> find(const ManifestTable &manifest, std::size_t index) const;
    /// The file of this path, whatever version.
    std::optional<Slot> find(std::string_view path) const;

private:
    const JournalContent &content_;
    /// By path; of one path the last one first.
    std::vector<Slot> slots_;
};

/// A journal of an earlier attempt, locked for this process.
struct FoundJournal {
    std::string tag;
    fs::FileHandle file;
    ReadJournal journal;
    /// Data of records that were not synced may be gone, even without a restart of the computer.
    bool doubtful = false;
};

/// Whether the journal belongs to the share that is received now: anybody can claim its id, so its
/// key has to be the same, too.
bool is_of_share(const JournalHeader &header, const TransferIds &ids);

/// The journal of this share in the folder; else the one with the most files of the manifest's
/// first `end` entries that are not complete, if they are at least half of what it has not
/// complete: the rest is another transfer's, and would be lost. Those that are locked, or another
/// version's, are left alone; those of other transfers that are complete, or that never began, are
/// deleted, and so is what trying the folder out left.
std::optional<FoundJournal> find_journal(const fs::FileHandle &root, const ManifestTable &manifest,
                                         std::size_t end, const TransferIds &ids);

/// Names of the journals in the folder, sorted; not more than an attempt would look at.
std::vector<std::string> journal_names(const fs::FileHandle &root);
/// The journal's file, locked; nullopt when another process has it, or it is gone.
std::optional<fs::FileHandle> lock_journal(const fs::FileHandle &root, const std::string &name);
/// `7f3c21` of a journal's name.
std::string journal_tag(std::string_view name);

/// Bytes of unpublished files that an earlier attempt left, by its journal, with those of unwanted
/// files. Changes and locks nothing: an attempt that begins meanwhile can lock the journal.
std::uint64_t resumable_bytes(const fs::FileHandle &root, const ManifestTable &manifest,
                              std::size_t end);

/// Hash of fs::boot_id(); zero when the system does not tell.
ShortHash current_boot();
/// Whether unsynced data of the journal's time is still what the system shows: no restart of the
/// computer, the same disk.
bool is_same_boot(const JournalHeader &header, const fs::VolumeFacts &volume);

} // namespace thru

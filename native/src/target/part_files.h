// State of unpublished files: part files beside their final places, which of their bytes are
// verified, and which of those are durable.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fs/file_system.h"
#include "journal/journal.h"
#include "names/name_map.h"
#include "target/target.h"
#include "transfer/manifest_table.h"
#include "wire/control.h"

namespace thru {

/// A file under a temporary name.
struct PartFile {
    /// Number in its name.
    std::uint64_t number = 0;
    fs::FileId id;
    /// A mount point lies between it and the target: syncing the target's volume is no help.
    bool other_volume = false;
};

/// The first bytes of a large file, left by a previous attempt.
struct ResumedPartial {
    PartFile part;
    Have have;
    /// Extents that may not be durable; the last one may exceed what was verified.
    std::vector<Extent> unsynced;
    /// Holes that may not be durable.
    std::vector<Hole> unsynced_holes;
    /// The journal has records of bytes beyond, which are not used.
    bool stepped_back = false;
    /// Bytes that the part file takes on the disk.
    std::uint64_t allocated = 0;
};

/// The part file of a file that comes in several segments.
struct LargePart {
    explicit LargePart(std::uint64_t manifest_index) : index(manifest_index) {}

    const std::uint64_t index;
    /// Held while the file is made, opened or deleted; guards these five.
    std::mutex mutex;
    std::optional<PartFile> made;
    /// Bytes from the start for which space was, or is being, reserved.
    std::uint64_t reserved = 0;
    /// Bytes that a previous attempt left.
    std::uint64_t resumed = 0;
    /// Dropped: later bytes are discarded.
    bool gone = false;
    /// Open as long as PartFiles or a strand keeps it so.
    std::weak_ptr<fs::FileHandle> file;

    /// Written since the last commit; guarded by PartFiles' mutex, as are the next two.
    bool dirty = false;
    /// Verified, and not known to be durable.
    std::vector<Extent> unsynced;
    /// Logged as progress, and not verified: begins and ends.
    std::map<std::uint64_t, std::uint64_t> progress;
};

/// Complete files from one segment.
struct Batch {
    struct Member {
        std::uint64_t index = 0;
        PartFile part;
        /// Hash of its data; only when files are read back.
        std::optional<ShortHash> hash;
    };
    /// Hash of all their data together.
    ShortHash hash{};
    std::vector<Member> members;
    /// The members are all that the hash is of.
    bool complete = false;
};

/// Thread-safe.
class PartFiles {
public:
    /// All of them outlive this.
    PartFiles(const Target &target, const NameMap &names, const ManifestTable &manifest);

    /// Before anything is written: what names of parts have, and the highest number that was used.
    void set_tag(std::string tag, std::uint64_t last_number);
    const std::string &tag() const { return tag_; }
    /// Receives every later change. A new journal starts empty. May be null, and outlives this
    /// otherwise.
    void set_journal(Journal *journal);
    /// Writes buffered records, so that they outlast the program. A full disk only delays that.
    void flush_journal();

    // Entries.

    /// There are `end` entries now.
    void grow(std::size_t end);
    std::size_t entries() const;
    /// Adds the entry to the journal, unless it has it.
    void add_slot(std::uint64_t index);
    /// Logs the sender's validator for a file.
    void set_validator(const Validator &validator);
    void set_slot(std::uint64_t index, std::optional<Slot> slot);
    std::optional<Slot> slot(std::uint64_t index) const;
    /// Drops the entry, so that nothing of it is accepted, or takes that back. Its part file is
    /// deleted.
    void set_dropped(std::uint64_t index, bool dropped);
    /// The entry is complete under its name: nothing more of it is accepted.
    void set_done(std::uint64_t index);
    bool is_done(std::uint64_t index) const;
    /// Whether its bytes are to be written.
    bool accepts(std::uint64_t index) const;
    /// Deletes the part file, unless it is retained; the file may be received again.
    void remove(std::uint64_t index);
    /// Retains the complete part file for a later attempt that can publish it.
    void retain(std::uint64_t index);
    /// Whether any part file is retained.
    bool retains() const;
    /// Discards what a previous attempt left of the file: it is overwritten.
    void restart(std::uint64_t index);
    /// Deletes all part files.
    void remove_rest();
    /// Nothing can be written afterwards.
    void close();
    bool closed() const;

    // Part files.

    /// A number for a new part file.
    std::uint64_t new_number();
    /// A new one in the folder that the cursor is at.
    Result<std::pair<PartFile, fs::FileHandle>> create(FolderCursor &cursor,
                                                       const fs::FileHandle &folder);
    /// Deletes one that is in no batch.
    void discard(std::uint64_t index, const PartFile &part);

    /// nullptr when nothing of the entry is wanted.
    Result<std::shared_ptr<LargePart>> large(std::uint64_t index);
    /// Makes it, when there is room for all of it, or opens it again. TargetNotWritable when
    /// another file has taken its place.
    Result<std::shared_ptr<fs::FileHandle>> open(LargePart &part);
    /// Takes space up to `end` and some more, unless that was done: DiskFull before the data comes.
    Result<> reserve(LargePart &part, const fs::FileHandle &file, std::uint64_t end);
    /// Bytes that there was no room for yet.
    std::uint64_t unreserved(LargePart &part) const;
    /// Adopts a partial file of a previous attempt, open and synced. Its extents are logged, and
    /// records of bytes beyond are invalidated.
    void adopt_large(std::uint64_t index, const PartFile &part, fs::FileHandle file,
                     const ResumedPartial &resumed);
    /// Adopts a complete part file of a previous attempt, which is durable.
    void adopt_small(std::uint64_t index, const PartFile &part);

    // Written data. `generation` is failed_commits() from before the first byte was written.

    /// False when the data no longer counts: the disk lost some of it meanwhile.
    bool add_extent(const std::shared_ptr<LargePart> &part, const Extent &extent,
                    std::uint64_t generation);
    void add_progress(const std::shared_ptr<LargePart> &part, std::uint64_t begin,
                      std::uint64_t end);
    /// Invalidates the progress that begins there.
    void void_progress(const std::shared_ptr<LargePart> &part, std::uint64_t begin);
    /// False as for add_extent. Dropped members are deleted.
    bool add_batch(Batch batch, std::uint64_t generation);
    void add_hole(const std::shared_ptr<LargePart> &part, std::uint64_t offset,
                  std::uint64_t length);
    /// A folder was made in this one.
    void folder_made(std::string_view above);
    /// Folders in which others were made since the last commit.
    std::set<std::string> take_folders();
    std::uint64_t failed_commits() const;

    // Commits.

    struct DirtyPart {
        std::shared_ptr<LargePart> part;
        std::vector<Extent> extents;
    };
    struct DirtyData {
        /// The journal's last record: everything logged up to it is in this commit or an earlier
        /// one.
        std::uint64_t last_record = 0;
        std::vector<Batch> batches;
        std::vector<DirtyPart> parts;
        /// In which others were made.
        std::set<std::string> folders;
    };
    /// Takes what was written since the last commit. Without a journal, only large files in
    /// `complete`.
    DirtyData take_dirty(const std::vector<std::uint64_t> &complete);
    /// Invalidates `dirty`, which could not be synced, and data being written. Adds what was
    /// written to its parts meanwhile, or to all files if `everything`. Extents of its parts, and
    /// all members of its batches, have to be sent again.
    void fail_commit(DirtyData &dirty, bool everything);

    /// A complete file's location.
    struct CompleteFile {
        PartFile part;
        /// Null when it is in a batch.
        std::shared_ptr<LargePart> large;
    };
    /// nullopt when the entry has no part file.
    std::optional<CompleteFile> find_complete(std::uint64_t index) const;
    /// Invalidates an extent that has to be sent again.
    void void_extent(std::uint64_t index, const Extent &extent);

private:
    struct Entry {
        static constexpr Slot kNoSlot = ~Slot{0};
        Slot slot = kNoSlot;
        bool dropped = false;
        bool done = false;
        bool retained = false;
    };

    /// Deletes the file of a part that was removed from all lists.
    void remove_file(LargePart &part);
    std::optional<Slot> slot_locked(std::uint64_t index) const;
    void log(const JournalRecord &record);
    Result<fs::FileHandle> create_large(LargePart &part);
    Result<fs::FileHandle> reopen(const LargePart &part);
    void cache_handle(std::uint64_t index, std::shared_ptr<fs::FileHandle> file);

    const Target &target_;
    const NameMap &names_;
    const ManifestTable &manifest_;
    std::string tag_;

    /// Locked after a part's mutex, never before.
    mutable std::mutex mutex_;
    Journal *journal_ = nullptr;
    bool retains_ = false;
    std::vector<Entry> entries_;
    std::unordered_map<std::uint64_t, std::shared_ptr<LargePart>> large_;
    std::unordered_map<std::uint64_t, PartFile> small_;
    std::vector<Batch> dirty_batches_;
    std::set<std::string> dirty_folders_;
    /// The last used ones, oldest first.
    std::deque<std::pair<std::uint64_t, std::shared_ptr<fs::FileHandle>>> open_;
    std::uint64_t last_number_ = 0;
    std::uint64_t failed_commits_ = 0;
    bool closed_ = false;
};

} // namespace thru

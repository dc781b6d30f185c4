// What is here of files that have no final names yet: part files beside their final places, which
// of their bytes are verified, and which of those are on the disk. Private to io/.
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

#include "io/file_system.h"
#include "io/journal.h"
#include "io/name_map.h"
#include "io/target.h"
#include "transfer/manifest_table.h"
#include "wire/control.h"

namespace thru {

/// A file with a name of our own.
struct PartFile {
    /// In its name.
    std::uint64_t number = 0;
    fs::FileId id;
    /// A mount point lies between it and the target: syncing the target's volume is no help.
    bool other_volume = false;
};

/// The first bytes of a large file, as an earlier attempt left them.
struct ResumedPartial {
    PartFile part;
    Have have;
    /// Of these the disk may not have all yet; the last one may be more than was verified.
    std::vector<Extent> unsynced;
    /// Nor these holes.
    std::vector<Hole> unsynced_holes;
    /// The journal knows of bytes beyond, which are not used.
    bool stepped_back = false;
    /// Bytes that the part file takes on the disk.
    std::uint64_t allocated = 0;
};

/// What is here of a file that comes in several segments.
struct LargePart {
    explicit LargePart(std::uint64_t manifest_index) : index(manifest_index) {}

    const std::uint64_t index;
    /// Held while the file is made, opened or deleted; guards these five.
    std::mutex mutex;
    std::optional<PartFile> made;
    /// Space was taken, or is being taken, for so much of it.
    std::uint64_t reserved = 0;
    /// So much of it an earlier attempt left.
    std::uint64_t resumed = 0;
    /// Dropped: what still comes for it goes nowhere.
    bool gone = false;
    /// Open as long as PartFiles or a strand keeps it so.
    std::weak_ptr<fs::FileHandle> file;

    /// Written since the last round; guarded by PartFiles' mutex, as are the next two.
    bool dirty = false;
    /// Verified, and not known to be on the disk.
    std::vector<Extent> unsynced;
    /// Told as progress, and not verified: begins and ends.
    std::map<std::uint64_t, std::uint64_t> progress;
};

/// Whole files that came in one segment.
struct Batch {
    struct Member {
        std::uint64_t index = 0;
        PartFile part;
        /// Of its data; only when files are read back.
        std::optional<ShortHash> hash;
    };
    /// Of all their data together.
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
    /// Told of everything from now on; a new one knows none of the entries. May be null, and
    /// outlives this otherwise.
    void set_journal(Journal *journal);
    /// What it was told outlasts the program. A full disk only delays that.
    void flush_journal();

    // Entries.

    /// There are `end` entries now.
    void grow(std::size_t end);
    std::size_t entries() const;
    /// The journal learns of it, unless it knows it.
    void add_slot(std::uint64_t index);
    /// What the sender said of the file.
    void set_validator(const Validator &validator);
    void set_slot(std::uint64_t index, std::optional<Slot> slot);
    std::optional<Slot> slot(std::uint64_t index) const;
    /// Nothing of it is taken from now on, or it is again. What is here of it is deleted.
    void set_dropped(std::uint64_t index, bool dropped);
    /// It is complete under its name: nothing of it is taken any more.
    void set_done(std::uint64_t index);
    bool is_done(std::uint64_t index) const;
    /// What comes for it is to be written.
    bool accepts(std::uint64_t index) const;
    /// Deletes what is here of the file, unless it is kept; it may come anew.
    void remove(std::uint64_t index);
    /// What is here of the file is whole and outlasts this attempt, for one that can name it.
    void retain(std::uint64_t index);
    /// Some are kept.
    bool retains() const;
    /// What an earlier attempt left of it does not count: it is written over.
    void restart(std::uint64_t index);
    /// Deletes all part files.
    void remove_rest();
    /// Nothing can be written afterwards.
    void close();
    bool closed() const;

    // Part files.

    /// Of a part that is made now.
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
    /// One that an earlier attempt left, now open and on the disk. The journal is told that it is
    /// there, and to forget what it knows beyond, if there is something.
    void adopt_large(std::uint64_t index, const PartFile &part, fs::FileHandle file,
                     const ResumedPartial &resumed);
    /// A whole one that an earlier attempt left, on the disk.
    void adopt_small(std::uint64_t index, const PartFile &part);

    // What is written. `round` is failed_commits() from before the first byte was.

    /// False when that does not count any more: the disk lost some of it meanwhile.
    bool add_extent(const std::shared_ptr<LargePart> &part, const Extent &extent,
                    std::uint64_t generation);
    void add_progress(const std::shared_ptr<LargePart> &part, std::uint64_t begin,
                      std::uint64_t end);
    /// What was told of these bytes was wrong.
    void void_progress(const std::shared_ptr<LargePart> &part, std::uint64_t begin);
    /// False as add_extent. What is dropped is deleted.
    bool add_batch(Batch batch, std::uint64_t generation);
    void add_hole(const std::shared_ptr<LargePart> &part, std::uint64_t offset,
                  std::uint64_t length);
    /// A folder was made in this one.
    void folder_made(std::string_view above);
    /// Folders in which others were made since the last round.
    std::set<std::string> take_folders();
    std::uint64_t failed_commits() const;

    // Rounds of settling.

    struct DirtyPart {
        std::shared_ptr<LargePart> part;
        std::vector<Extent> extents;
    };
    struct DirtyData {
        /// The journal's last record: all that it tells of is in this round or before.
        std::uint64_t last_record = 0;
        std::vector<Batch> batches;
        std::vector<DirtyPart> parts;
        /// In which others were made.
        std::set<std::string> folders;
    };
    /// What was written since the last one. Without a journal, only large files in `whole`.
    DirtyData take_dirty(const std::vector<std::uint64_t> &complete);
    /// What is in `round` could not be synced: it does not count any more, nor what is being
    /// written. Adds what was written to its parts meanwhile, or to all files if `everything`.
    /// Extents of its parts, and all members of its batches, have to come again.
    void fail_commit(DirtyData &dirty, bool everything);

    /// Where the bytes of a whole file are.
    struct CompleteFile {
        PartFile part;
        /// Null when it is in a batch.
        std::shared_ptr<LargePart> large;
    };
    /// nullopt when nothing is here of it.
    std::optional<CompleteFile> find_complete(std::uint64_t index) const;
    /// What was told of these bytes is wrong: they have to come again.
    void void_extent(std::uint64_t index, const Extent &extent);

private:
    struct Entry {
        static constexpr Slot kNoSlot = ~Slot{0};
        Slot slot = kNoSlot;
        bool dropped = false;
        bool done = false;
        bool retained = false;
    };

    /// Deletes the file of a part that is in no list any more.
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

    /// Never taken while a part's mutex is waited for: parts are locked first.
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

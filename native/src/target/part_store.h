// Part files on the disk, in the folders of their final names.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "base/guarded.h"
#include "fs/direct_writer.h"
#include "fs/file_system.h"
#include "names/name_map.h"
#include "target/target.h"
#include "transfer/manifest_table.h"

namespace thru {

/// A file under a temporary name.
struct PartFile {
    /// Number in its name.
    std::uint64_t number = 0;
    fs::FileId id;
    /// A mount point lies between it and the target: syncing the target's volume does not cover it.
    bool other_volume = false;
};

/// An open part file, of a file with several segments.
class OpenPart {
public:
    OpenPart(fs::FileHandle file, bool direct)
        : file_(std::move(file)), direct_(direct ? fs::DirectWriter::of(file_) : nullptr) {}

    const fs::FileHandle &file() const { return file_; }
    /// Writes one thread at a time: file systems allow only one writer per file, and on Linux the
    /// others spin while they wait. Any thread.
    fs::SystemResult<> write_at(std::uint64_t offset, ByteView bytes);

private:
    const fs::FileHandle file_;
    /// Held while bytes are written.
    std::mutex writing_;
    const std::unique_ptr<fs::DirectWriter> direct_;
};

/// The part file of a file with several segments.
class LargePart {
public:
    explicit LargePart(std::uint64_t index) : index_(index) {}

    std::uint64_t index() const { return index_; }
    /// nullopt until it is made.
    std::optional<PartFile> file() const;

private:
    friend class PartStore;

    const std::uint64_t index_;
    /// Held while the file is made, opened or deleted; guards the rest. Locked first.
    mutable std::mutex mutex_;
    std::optional<PartFile> made_;
    /// Bytes from the start for which space is or is being reserved.
    std::uint64_t reserved_ = 0;
    /// Deleted: later bytes are discarded.
    bool gone_ = false;
    /// Open while PartStore or a strand holds it.
    std::weak_ptr<OpenPart> open_;
};

/// Creates, opens and deletes part files. Const functions: any thread; others: the folder's strand.
class PartStore {
public:
    /// All must outlive this.
    PartStore(const Target &target, const NameMap &names, const ManifestTable &manifest,
              MadeFolders &made_folders);

    /// Sets the tag in names of parts and the highest number used. Before the first file.
    void set_tag(std::string tag, std::uint64_t last_number);
    const std::string &tag() const { return tag_; }
    std::uint64_t new_number() const { return ++last_number_; }

    /// Creates a file for the entry in its folder, to which the cursor moves.
    Result<std::pair<PartFile, fs::FileHandle>> create(FolderCursor &cursor,
                                                       std::uint64_t index) const;
    /// Deletes a file made by create.
    void discard(std::uint64_t index, const PartFile &part) const;

    using OnMade = std::function<void(const PartFile &)>;
    /// Opens the file; creates it if there is room for all of it. Calls `on_made` before others can
    /// open it. TargetNotWritable if another file has taken its place; Stopped if it was removed.
    Result<std::shared_ptr<OpenPart>> open(LargePart &part, const OnMade &on_made) const;
    /// Adopts a file from a previous attempt for which `reserved` bytes are allocated.
    std::shared_ptr<LargePart> adopt(std::uint64_t index, const PartFile &made, fs::FileHandle file,
                                     std::uint64_t reserved) const;
    /// Reserves space up to `end` and some more: reports DiskFull before the data arrives.
    Result<> reserve(LargePart &part, const fs::FileHandle &file, std::uint64_t end) const;
    /// False for a stream.
    bool may_resume(const LargePart &part) const { return !manifest_.stream(part.index()); }
    /// Bytes of the file without reserved space; 0 for a stream.
    std::uint64_t unreserved(const LargePart &part) const;
    /// Deletes the file; it can't be opened anymore.
    void remove(LargePart &part) const;
    /// Closes the file, unless a strand still uses it.
    void close(std::uint64_t index) const;
    /// Closes all files and keeps none open afterwards.
    void close_all();

private:
    Result<fs::FileHandle> make(LargePart &part) const;
    Result<fs::FileHandle> reopen(const LargePart &part) const;
    Result<std::pair<PartFile, fs::FileHandle>> create_in(FolderCursor &cursor,
                                                          const fs::FileHandle &folder) const;
    std::shared_ptr<OpenPart> make_open(std::uint64_t index, fs::FileHandle file) const;
    void keep_open(std::uint64_t index, std::shared_ptr<OpenPart> file) const;

    struct OpenFiles {
        /// The most recently used files, oldest first.
        std::deque<std::pair<std::uint64_t, std::shared_ptr<OpenPart>>> files;
        bool closed = false;
        void close(std::uint64_t index);
    };

    const Target &target_;
    const NameMap &names_;
    const ManifestTable &manifest_;
    MadeFolders &made_folders_;
    std::string tag_;
    mutable std::atomic<std::uint64_t> last_number_ = 0;
    /// Locked after a part's mutex, never before.
    mutable Guarded<OpenFiles> open_;
};

} // namespace thru

// The files of a share on this machine, by entry index only, never by a name that a peer chose.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/error.h"
#include "fs/file_system.h"
#include "source/read_log.h"
#include "source/stream_source.h"
#include "source/tree_scan.h"
#include "transfer/manifest_table.h"
#include "wire/control.h"

namespace thru {

/// Grows with its manifest, under the same rule: one thread adds, others read entries that were
/// there when they were handed work. Indexes are of files, or of texts where it says so.
class SourceFiles {
public:
    SourceFiles(std::shared_ptr<const ManifestTable> manifest,
                std::shared_ptr<const TreeScan> scan);
    ~SourceFiles();

    /// Where the stream's bytes come from. Before anybody asks for it.
    void set_stream(std::shared_ptr<const StreamSource> stream) { stream_ = std::move(stream); }
    /// What the manifest's next entry is on this machine. The manifest has taken that entry, or
    /// does so before anybody asks for it.
    void add(const ScannedEntry &scanned);

    const ManifestTable &manifest() const { return *manifest_; }

    /// The disk that the entry was on when it was scanned: a number for DiskUse::disk. On the
    /// thread that adds.
    std::uint64_t disk(std::uint64_t index) const;

    /// Stands for this version of the file: size, times and ReadLog::data_ctime, or the bytes of a
    /// text. Never zero. Any thread.
    WireId validator(std::uint64_t index) const;
    /// The parts of large files that receivers were sent.
    ReadLog &read_log() const;

    // Disk pool.

    struct OpenFile {
        fs::FileHandle handle;
        /// At the time when it was opened.
        FileVersion version;
    };
    /// The file, if size, modification time and identity are as scanned. SourceChanged,
    /// PathNotFound, PathUnreadable, DiskIo.
    Result<OpenFile> open(std::uint64_t index) const;
    /// The same check for an open file; returns its version now. SourceChanged says in words what
    /// differs. Another version than before may have other data, if somebody set the modification
    /// time back.
    Result<FileVersion> check(std::uint64_t index, const fs::FileHandle &file) const;
    /// ReadLog::settle.
    Result<bool> settle(std::uint64_t index, const FileVersion &now,
                        const fs::FileHandle &file) const;
    /// The next data of a sparse file at or after `offset`; holes below kMinHoleBytes count as
    /// data. `begin` and `end` are the size when no data is left. Errors as those of open().
    Result<fs::DataRun> next_data(std::uint64_t index, std::uint64_t offset) const;
    /// The bytes of a text entry; nullptr for other entries.
    const std::string *text(std::uint64_t index) const;
    /// What keeps bytes of the stream; nullptr for other entries.
    const StreamSource *stream(std::uint64_t index) const {
        return manifest_->stream(index) ? stream_.get() : nullptr;
    }

private:
    struct State;
    std::shared_ptr<const ManifestTable> manifest_;
    std::unique_ptr<State> state_;
    std::shared_ptr<const StreamSource> stream_;
};

} // namespace thru

// The files of a share on this computer, accessed only by entry index, never by a peer's name.
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

/// Grows with its manifest, under the same rule: one thread adds; others read entries that existed
/// when they received their work. Indexes refer to files, or to texts where noted.
class SourceFiles {
public:
    SourceFiles(std::shared_ptr<const ManifestTable> manifest,
                std::shared_ptr<const TreeScan> scan);
    ~SourceFiles();

    /// Sets the source of the stream's bytes. Call it before any use of the stream.
    void set_stream(std::shared_ptr<const StreamSource> stream) { stream_ = std::move(stream); }
    /// Adds the local file of the manifest's next entry, which must exist before any use.
    void add(const ScannedEntry &scanned);

    const ManifestTable &manifest() const { return *manifest_; }

    /// Resolved path of the item whose first entry this is; empty for texts and streams.
    const std::string &item_path(std::uint64_t index) const;
    /// The disk of the entry when scanned: a number for DiskUse::disk. Adding thread only.
    std::uint64_t disk(std::uint64_t index) const;

    /// Identifies this version: size, times and data_ctime, or a text's bytes. Never 0. Any thread.
    WireId validator(std::uint64_t index) const;
    /// The parts of large files sent to receivers.
    ReadLog &read_log() const;

    // Disk pool.

    struct OpenFile {
        fs::FileHandle handle;
        /// Version when the file was opened.
        FileVersion version;
    };
    /// The file if it is as scanned; SourceChanged, PathNotFound, PathUnreadable, DiskIo.
    Result<OpenFile> open(std::uint64_t index) const;
    /// The same check for an open file; returns its current version, which may have different data
    /// if a program reset the modification time. SourceChanged describes the difference.
    Result<FileVersion> check(std::uint64_t index, const fs::FileHandle &file) const;
    /// ReadLog::settle.
    Result<bool> settle(std::uint64_t index, const FileVersion &now,
                        const fs::FileHandle &file) const;
    /// The next data of a sparse file at or after `offset`; holes below kMinHoleBytes count as
    /// data. `begin` and `end` equal the size if no data follows. Errors as in open().
    Result<fs::DataRun> next_data(std::uint64_t index, std::uint64_t offset) const;
    /// The bytes of a text entry; nullptr for other entries.
    const std::string *text(std::uint64_t index) const;
    /// The source of the stream; nullptr for other entries.
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

// Fills a new part file with data of another version of a file, its basis, as if an earlier attempt
// had received it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "fs/direct_writer.h"
#include "fs/file_system.h"
#include "target/entry_run.h"
#include "target/part_store.h"
#include "target/previous_attempt.h"
#include "target/receive_state.h"

namespace thru {

/// Folder's strand. What was copied is hashed, so the basis may change meanwhile.
class PartCopy {
public:
    PartCopy(const PartCopy &) = delete;
    PartCopy &operator=(const PartCopy &) = delete;
    /// Deletes the part file unless it was taken.
    virtual ~PartCopy();

    enum class Step : std::uint8_t {
        More,
        /// The sender's answers have not arrived.
        Waits,
        /// All is copied and durable.
        Done,
        Failed,
    };
    /// Copies at most StepBudget::kBytes.
    virtual Step step(StepBudget &budget) = 0;

    struct Copied {
        fs::FileHandle file;
        ResumedPartial partial;
        /// Bytes of it that the sender has sent.
        std::uint64_t fetched_bytes = 0;
    };
    /// Returns the finished copy; call it after the last step.
    virtual Copied take() = 0;
    std::uint64_t index() const { return index_; }

protected:
    struct Files {
        fs::FileHandle basis;
        std::uint64_t basis_bytes = 0;
        PartFile part;
        fs::FileHandle file;
        bool is_clone = false;
    };
    /// Opens the basis at `path` below the target, and makes a part file. nullopt if it can't be
    /// copied, or not all of the entry fits on the disk.
    static std::optional<Files> open(ReceiveFolder::State &state, FolderCursor &cursor,
                                     std::uint64_t index, const std::string &path);
    /// `state` must outlive this.
    PartCopy(const ReceiveFolder::State &state, std::uint64_t index, Files files);

    const fs::FileHandle &file() const { return file_; }
    /// The content of the basis where nothing was written yet: that of the part file if it began as
    /// a clone, because the basis may have changed since.
    const fs::FileHandle &content() const { return is_clone_ ? file_ : basis_; }
    const std::vector<Extent> &extents() const { return extents_; }
    /// The longest range that is copied at once.
    static constexpr std::uint64_t kRangeBytes = 1ULL << 20;
    /// Reads a range of the basis for write_range(). Returns its bytes, valid until the next call;
    /// nullopt if that failed.
    std::optional<ByteView> read_range(std::uint64_t from, std::uint64_t to, std::uint64_t bytes);
    /// Writes a part of the last range read, at `from` of the basis, to `to` of the part file,
    /// unless it is there already. False if this or an earlier write failed.
    bool write_range(std::uint64_t from, std::uint64_t to, ByteView bytes);
    /// Writes other bytes to the part file, through the cache. No direct write is in progress then:
    /// both may concern one folio of the cache.
    bool write_cached(std::uint64_t offset, ByteView bytes);
    void add_extent(const Extent &extent) { extents_.push_back(extent); }
    /// Called after each step with the range of the part file in which it wrote. Makes data durable
    /// if it is much. False if that failed.
    bool keep(std::uint64_t begin, std::uint64_t end);
    /// Ends the part file at `size`, sorts the extents, and makes all durable. False if that
    /// failed.
    bool finish(std::uint64_t size);
    /// Takes part file, extents and file.
    Copied take(const Have &have, std::vector<Extents::Run> runs);

private:
    /// Waits for the write in progress. False if it failed.
    bool end_write();
    bool sync();
    bool read_back() const;

    const PartStore &store_;
    const bool verify_;
    const std::uint64_t index_;
    const fs::FileHandle basis_;
    const PartFile part_;
    const bool is_clone_;
    /// Not open once it was taken.
    fs::FileHandle file_;
    std::unique_ptr<fs::DirectWriter> direct_;
    /// While one is written directly, the other is read and hashed.
    std::array<Bytes, 2> buffers_;
    std::size_t buffer_ = 0;
    /// Number of bytes that were written, or were there already, since the last sync.
    std::uint64_t unsynced_bytes_ = 0;
    /// Number of extents before the last sync.
    std::size_t first_unread_ = 0;
    std::vector<Extent> extents_;
    /// The write in progress, and its buffer.
    std::future<bool> write_;
    std::size_t writing_ = 0;
};

} // namespace thru

// Copies another version of a file, its basis, into a new part file, as if an earlier attempt had
// received it. The sender then finds the blocks that differ.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fs/file_system.h"
#include "target/conflict.h"
#include "target/entry_run.h"
#include "target/part_store.h"
#include "target/previous_attempt.h"
#include "target/receive_state.h"

namespace thru {

/// Maximum number of blocks in all copies of a receive: about 64 MiB of memory.
inline constexpr std::uint64_t kMaxBasisBlocks = 1ULL << 20;

/// The blocks of a copy. Only whole ones: a hash of few bytes would reveal them to the sender.
struct BasisBlocks {
    /// Blocks of a file of `size` bytes, of which a basis has the first `basis` bytes.
    static BasisBlocks of(std::uint64_t size, std::uint64_t basis);

    std::uint64_t block = 0;
    std::uint64_t count = 0;
    std::uint64_t bytes() const { return block * count; }
};

/// Folder's strand. What was copied is hashed, so the basis may change meanwhile.
class BasisCopy {
public:
    /// Opens the basis at `path` below the target. Null if it can't be copied, or not all of the
    /// entry fits on the disk. `state` must outlive this.
    static std::unique_ptr<BasisCopy> begin(ReceiveFolder::State &state, FolderCursor &cursor,
                                            std::uint64_t index, const std::string &path);
    BasisCopy(const BasisCopy &) = delete;
    BasisCopy &operator=(const BasisCopy &) = delete;
    /// Deletes the part file unless it was taken.
    ~BasisCopy();

    /// Copies at most StepBudget::kBytes. Returns true when all is copied and durable, and nullopt
    /// if that failed.
    std::optional<bool> step(StepBudget &budget);

    struct Copied {
        fs::FileHandle file;
        ResumedPartial partial;
    };
    /// Returns the finished copy; call it after the last step.
    Copied take();

private:
    BasisCopy(const ReceiveFolder::State &state, std::uint64_t index, const BasisBlocks &blocks,
              fs::FileHandle basis, std::pair<PartFile, fs::FileHandle> part);

    bool copy_block(std::uint64_t offset);
    bool read_back() const;

    const PartStore &store_;
    const bool verify_;
    const std::uint64_t index_;
    const BasisBlocks blocks_;
    const fs::FileHandle basis_;
    const PartFile part_;
    /// Not open once it was taken.
    fs::FileHandle file_;
    std::uint64_t copied_ = 0;
    std::uint64_t synced_ = 0;
    /// Number of extents before the last sync.
    std::size_t first_unread_ = 0;
    /// The run of data in the basis that was found last.
    fs::DataRun data_;
    std::vector<Extent> extents_;
    std::vector<Hole> holes_;
    /// The runs are in order; zero hashes are holes.
    std::vector<Extents::Run> runs_;
};

} // namespace thru

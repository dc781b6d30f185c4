// Copies the blocks of a basis to the same offsets. The sender then finds the blocks that differ.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "target/existing/conflict.h"
#include "target/older/part_copy.h"

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

class BasisCopy : public PartCopy {
public:
    /// Null if PartCopy::open fails, or if there is nothing to copy. `state` must outlive this.
    static std::unique_ptr<BasisCopy> begin(ReceiveFolder::State &state, FolderCursor &cursor,
                                            std::uint64_t index, const std::string &path);

    Step step(StepBudget &budget) override;
    Copied take() override;

private:
    BasisCopy(const ReceiveFolder::State &state, std::uint64_t index, const BasisBlocks &blocks,
              Files files)
        : PartCopy(state, index, std::move(files)), blocks_(blocks) {}

    bool copy_next(std::uint64_t end);

    const BasisBlocks blocks_;
    std::uint64_t copied_ = 0;
    /// The run of data in the basis that was found last.
    fs::DataRun data_;
    std::vector<Hole> holes_;
    /// The runs are in order; zero hashes are holes.
    std::vector<Extents::Run> runs_;
};

} // namespace thru

#include "target/older/basis_copy.h"

#include <algorithm>
#include <utility>

namespace thru {

namespace {

constexpr std::uint64_t kMinBlockBytes = 64ULL << 10;
/// Above this number, blocks become larger.
constexpr std::uint64_t kManyBlocks = 1ULL << 18;

} // namespace

BasisBlocks BasisBlocks::of(std::uint64_t size, std::uint64_t basis) {
    const std::uint64_t bytes = std::min(size, basis);
    if (bytes < kMinBasisBytes) {
        return {};
    }
    std::uint64_t block = kMinBlockBytes;
    while (block < kSegmentBytes && bytes / block > kManyBlocks) {
        block *= 2;
    }
    return {.block = block, .count = std::min(bytes / block, kManyBlocks)};
}

std::unique_ptr<BasisCopy> BasisCopy::begin(ReceiveFolder::State &state, FolderCursor &cursor,
                                            std::uint64_t index, const std::string &path) {
    auto files = open(state, cursor, index, path);
    if (!files) {
        return nullptr;
    }
    const BasisBlocks blocks =
        BasisBlocks::of(state.manifest->file_size(index), files->basis_bytes);
    const bool fits = blocks.count > 0 && blocks.count <= kMaxBasisBlocks - state.basis_blocks;
    std::unique_ptr<BasisCopy> copy(new BasisCopy(state, index, blocks, std::move(*files)));
    if (!fits) {
        return nullptr;
    }
    state.basis_blocks += blocks.count;
    return copy;
}

PartCopy::Step BasisCopy::step(StepBudget &budget) {
    const std::uint64_t end = std::min(blocks_.bytes(), copied_ + StepBudget::kBytes);
    budget.spend_bytes(2 * (end - copied_));
    const std::uint64_t begin = copied_;
    for (; copied_ < end; copied_ += blocks_.block) {
        if (!copy_block(copied_)) {
            return Step::Failed;
        }
    }
    if (!keep(begin, copied_)) {
        return Step::Failed;
    }
    if (copied_ < blocks_.bytes()) {
        return Step::More;
    }
    return finish(copied_) ? Step::Done : Step::Failed;
}

bool BasisCopy::copy_block(std::uint64_t offset) {
    if (offset >= data_.end) {
        const auto data = fs::next_data(content(), offset);
        if (!data) {
            return false;
        }
        data_ = *data;
    }
    const std::uint64_t end = offset + blocks_.block;
    if (data_.begin >= end || data_.begin == data_.end) {
        const bool adjoins =
            !holes_.empty() && holes_.back().offset + holes_.back().length == offset;
        if (adjoins) {
            holes_.back().length += blocks_.block;
            runs_.back().length += blocks_.block;
        } else {
            holes_.push_back({.index = index(), .offset = offset, .length = blocks_.block});
            runs_.push_back({.length = blocks_.block});
        }
        return true;
    }
    Blake3 hasher;
    for (std::uint64_t at = offset; at < end; at += kRangeBytes) {
        const auto range = read_range(at, at, std::min(kRangeBytes, end - at));
        if (!range || !write_range(at, at, *range)) {
            return false;
        }
        hasher.update(*range);
    }
    const ShortHash hash = shortened(hasher.finish());
    add_extent({.offset = offset, .length = blocks_.block, .hash = hash});
    runs_.push_back({.length = blocks_.block, .hash = hash});
    return true;
}

PartCopy::Copied BasisCopy::take() {
    const std::uint64_t end = blocks_.bytes();
    // Its hash of no bytes proves nothing: the sender compares the runs.
    auto copied = PartCopy::take({.index = index(),
                                  .offset = end,
                                  .hash_begin = end,
                                  .hash = Blake3().finish(),
                                  .validator = kBasisValidator},
                                 std::move(runs_));
    copied.partial.unsynced_holes = std::move(holes_);
    return copied;
}

} // namespace thru

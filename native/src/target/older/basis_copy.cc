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
    while (copied_ < end) {
        if (!copy_next(end)) {
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

/// Copies one or more blocks, up to `end`.
bool BasisCopy::copy_next(std::uint64_t end) {
    const std::uint64_t block = blocks_.block;
    if (copied_ >= data_.end) {
        const auto data = fs::next_data(content(), copied_);
        if (!data) {
            return false;
        }
        data_ = *data;
    }
    if (data_.begin >= copied_ + block || data_.begin == data_.end) {
        const bool adjoins =
            !holes_.empty() && holes_.back().offset + holes_.back().length == copied_;
        if (adjoins) {
            holes_.back().length += block;
            runs_.back().length += block;
        } else {
            holes_.push_back({.index = index(), .offset = copied_, .length = block});
            runs_.push_back({.length = block});
        }
        copied_ += block;
        return true;
    }
    const std::uint64_t with_data = (data_.end - copied_ + block - 1) / block * block;
    const std::uint64_t most = std::max(kRangeBytes / block, std::uint64_t{1}) * block;
    end = std::min({end, copied_ + with_data, copied_ + most});
    Blake3 hasher;
    for (std::uint64_t begin = copied_; copied_ < end; begin = copied_) {
        const auto range = read_range(begin, begin, std::min(kRangeBytes, end - begin));
        if (!range || !write_range(begin, begin, *range)) {
            return false;
        }
        for (ByteView rest = *range; !rest.empty();) {
            const std::size_t bytes = std::min<std::uint64_t>(rest.size(), block);
            hasher.update(rest.first(bytes));
            rest = rest.subspan(bytes);
            copied_ += bytes;
            if (copied_ % block == 0) {
                const ShortHash hash = shortened(hasher.finish());
                add_extent({.offset = copied_ - block, .length = block, .hash = hash});
                runs_.push_back({.length = block, .hash = hash});
                hasher = Blake3();
            }
        }
    }
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

#include "target/basis_copy.h"

#include <algorithm>
#include <utility>

#include "fs/file_hash.h"
#include "fs/writeback.h"

namespace thru {

namespace {

constexpr std::uint64_t kMinBlockBytes = 64ULL << 10;
/// Above this number, blocks become larger.
constexpr std::uint64_t kManyBlocks = 1ULL << 18;
constexpr std::uint64_t kBufferBytes = 1ULL << 20;
/// The system writes these bytes while later ones are copied; the wait for a sync stays short.
constexpr std::uint64_t kSyncBytes = 512ULL << 20;

bool copy_range(const fs::FileHandle &from, const fs::FileHandle &to, std::uint64_t offset,
                std::uint64_t bytes) {
    if (fs::clone_range(from, to, offset, bytes)) {
        return true;
    }
    Bytes buffer(static_cast<std::size_t>(std::min(bytes, kBufferBytes)));
    while (bytes > 0) {
        const auto some = MutableByteView(buffer).first(
            static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), bytes)));
        const auto got = fs::read_at(from, offset, some);
        if (!got || *got != some.size() || !fs::write_at(to, offset, some)) {
            return false;
        }
        offset += some.size();
        bytes -= some.size();
    }
    return true;
}

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

BasisCopy::BasisCopy(const ReceiveFolder::State &state, std::uint64_t index,
                     const BasisBlocks &blocks, fs::FileHandle basis,
                     std::pair<PartFile, fs::FileHandle> part)
    : store_(state.store), verify_(state.options.verify), index_(index), blocks_(blocks),
      basis_(std::move(basis)), part_(part.first), file_(std::move(part.second)) {}

BasisCopy::~BasisCopy() {
    if (file_.is_open()) {
        store_.discard(index_, part_);
    }
}

std::unique_ptr<BasisCopy> BasisCopy::begin(ReceiveFolder::State &state, FolderCursor &cursor,
                                            std::uint64_t index, const std::string &path) {
    const std::uint64_t size = state.manifest->file_size(index);
    const auto folder = cursor.go(state.names.place(*state.manifest, index).folder());
    auto basis = folder ? fs::open_beneath_for_reading(state.target.root(), path)
                        : std::unexpected(folder.error());
    const auto status = basis ? fs::status_of(*basis) : std::unexpected(basis.error());
    const auto volume = folder ? fs::volume_facts(**folder) : std::unexpected(folder.error());
    if (!status || !volume || (volume->free_bytes < size && !state.manifest->sparse(index))) {
        return nullptr;
    }
    const BasisBlocks blocks = BasisBlocks::of(size, status->size);
    if (blocks.count == 0 || blocks.count > kMaxBasisBlocks - state.basis_blocks) {
        return nullptr;
    }
    auto part = state.store.create(cursor, index);
    if (!part) {
        return nullptr;
    }
    state.basis_blocks += blocks.count;
    return std::unique_ptr<BasisCopy>(
        new BasisCopy(state, index, blocks, std::move(*basis), std::move(*part)));
}

std::optional<bool> BasisCopy::step(StepBudget &budget) {
    const std::uint64_t end = std::min(blocks_.bytes(), copied_ + StepBudget::kBytes);
    budget.spend_bytes(2 * (end - copied_));
    const std::uint64_t begin = copied_;
    for (; copied_ < end; copied_ += blocks_.block) {
        if (!copy_block(copied_)) {
            return std::nullopt;
        }
    }
    const bool done = copied_ == blocks_.bytes();
    // The last blocks may be a hole.
    if (done && !fs::set_size(file_, copied_)) {
        return std::nullopt;
    }
    fs::begin_writeback(file_, begin, copied_ - begin);
    if (done || copied_ - synced_ >= kSyncBytes) {
        if (!fs::sync_data(file_) || (verify_ && !read_back())) {
            return std::nullopt;
        }
        synced_ = copied_;
        first_unread_ = extents_.size();
    }
    return done;
}

bool BasisCopy::copy_block(std::uint64_t offset) {
    if (offset >= data_.end) {
        const auto data = fs::next_data(basis_, offset);
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
            holes_.push_back({.index = index_, .offset = offset, .length = blocks_.block});
            runs_.push_back({.length = blocks_.block});
        }
        return true;
    }
    Blake3 hasher;
    if (!copy_range(basis_, file_, offset, blocks_.block) ||
        !hash_range(file_, offset, end, {&hasher})) {
        return false;
    }
    const ShortHash hash = shortened(hasher.finish());
    extents_.push_back({.offset = offset, .length = blocks_.block, .hash = hash});
    runs_.push_back({.length = blocks_.block, .hash = hash});
    return true;
}

/// True if the extents since the last sync are right on the disk.
bool BasisCopy::read_back() const {
    fs::drop_cache(file_);
    return std::all_of(extents_.begin() + static_cast<std::ptrdiff_t>(first_unread_),
                       extents_.end(), [this](const Extent &extent) {
                           Blake3 hasher;
                           return hash_range(file_, extent.offset, extent.end(), {&hasher}) &&
                                  shortened(hasher.finish()) == extent.hash;
                       });
}

BasisCopy::Copied BasisCopy::take() {
    const std::uint64_t end = blocks_.bytes();
    // Its hash of no bytes proves nothing: the sender compares the runs.
    return {.file = std::move(file_),
            .partial = {.part = part_,
                        .have = {.index = index_,
                                 .offset = end,
                                 .hash_begin = end,
                                 .hash = Blake3().finish(),
                                 .validator = kBasisValidator},
                        .extents = std::move(runs_),
                        .unsynced = std::move(extents_),
                        .unsynced_holes = std::move(holes_),
                        .of_basis = true,
                        .allocated = end}};
}

} // namespace thru

#include "target/older/chunk_copy.h"

#include <algorithm>
#include <cstring>

#include "fs/file_hash.h"

namespace thru {

namespace {

/// Chunks of a basis that are kept: about 60 MiB of memory.
constexpr std::size_t kMaxKnown = 1 << 21;
/// Maximum number of missing ranges in a file. After an interruption the journal gives no more.
constexpr std::size_t kMaxGaps = JournalFile::kMaxGaps;
/// Data rarely moves farther than the file has bytes. Reading more takes longer than receiving.
constexpr std::uint64_t kMoreRead = 1ULL << 30;
/// File systems share blocks of this size or less.
constexpr std::uint64_t kShared = 64ULL << 10;

bool precedes(const ShortHash &a, const ShortHash &b) {
    return std::memcmp(a.data(), b.data(), a.size()) < 0;
}

} // namespace

/// Sparse files rarely move their data, and holes would have to be listed.
std::optional<ChunkLengths> ChunkCopy::lengths(const ReceiveFolder::State &state,
                                               std::uint64_t index) {
    return state.ids.lists_chunks && !state.manifest->sparse(index)
               ? ChunkLengths::of(state.manifest->file_size(index))
               : std::nullopt;
}

std::unique_ptr<ChunkCopy> ChunkCopy::begin(ReceiveFolder::State &state, FolderCursor &cursor,
                                            std::uint64_t index, const std::string &path) {
    const auto lengths = ChunkCopy::lengths(state, index);
    auto files = open(state, cursor, index, path);
    if (!lengths || !files) {
        return nullptr;
    }
    const std::uint64_t bytes =
        std::min(files->basis_bytes, 2 * state.manifest->file_size(index) + kMoreRead);
    return std::unique_ptr<ChunkCopy>(
        new ChunkCopy(state, index, *lengths, bytes, std::move(*files)));
}

PartCopy::Step ChunkCopy::step(StepBudget &budget) {
    if (!read_) {
        return read_some(budget);
    }
    if (!list_) {
        list_ = state_.chunks.take(index());
        if (!list_) {
            return Step::Waits;
        }
    }
    return copy_some(budget);
}

PartCopy::Step ChunkCopy::read_some(StepBudget &budget) {
    if (!reading_) {
        reading_.emplace(basis(), basis_bytes_, lengths_);
    }
    std::uint64_t read = 0;
    while (!reading_->done() && known_.size() < kMaxKnown && read < StepBudget::kBytes) {
        const auto chunk = reading_->next();
        if (!chunk) {
            return Step::Failed;
        }
        read += chunk->length;
        // A match of a short last chunk would let the sender guess its bytes.
        if (chunk->length >= lengths_.min()) {
            known_.push_back({.hash = shortened(chunk->hash),
                              .length = static_cast<std::uint32_t>(chunk->length),
                              .offset = chunk->offset});
        }
    }
    budget.spend_bytes(read);
    read_ = reading_->done() || known_.size() == kMaxKnown;
    if (read_) {
        reading_.reset();
        std::ranges::sort(known_, precedes, &Known::hash);
    }
    return Step::More;
}

const ChunkCopy::Known *ChunkCopy::find(const Extents::Run &chunk) const {
    const auto found = std::ranges::lower_bound(known_, chunk.hash, precedes, &Known::hash);
    return found != known_.end() && found->hash == chunk.hash && found->length == chunk.length
               ? &*found
               : nullptr;
}

PartCopy::Step ChunkCopy::copy_some(StepBudget &budget) {
    const std::uint64_t begin = offset_;
    while (next_ < list_->runs.size() && offset_ - begin < StepBudget::kBytes) {
        const Extents::Run &chunk = list_->runs[next_];
        if (find(chunk) == nullptr) {
            // The rest is sent as if the basis had nothing of it.
            if (gaps_.size() == kMaxGaps || state_.chunk_gaps >= kMaxChunkGaps) {
                next_ = list_->runs.size();
                break;
            }
            add_gap(chunk.length);
            ++next_;
        } else if (!copy_extent()) {
            return Step::Failed;
        }
    }
    budget.spend_bytes(2 * (offset_ - begin));
    const bool done = next_ == list_->runs.size();
    if (done && extents().empty()) {
        return Step::Failed;
    }
    if (!keep(begin, done ? extents().back().end() : offset_, done)) {
        return Step::Failed;
    }
    return done ? Step::Done : Step::More;
}

void ChunkCopy::add_gap(std::uint64_t length) {
    if (!gaps_.empty() && gaps_.back().offset + gaps_.back().length == offset_) {
        gaps_.back().length += length;
        runs_.back().length += length;
    } else {
        gaps_.push_back({.offset = offset_, .length = length});
        runs_.push_back({.length = length});
        ++state_.chunk_gaps;
    }
    offset_ += length;
}

bool ChunkCopy::copy_extent() {
    const std::uint64_t begin = offset_;
    const std::size_t first = next_;
    // The range of the basis that is not copied yet.
    std::uint64_t from = 0;
    std::uint64_t bytes = 0;
    while (next_ < list_->runs.size()) {
        const Extents::Run &chunk = list_->runs[next_];
        const Known *known = find(chunk);
        if (known == nullptr || offset_ - begin + chunk.length > kSegmentBytes) {
            break;
        }
        if (known->offset != from + bytes) {
            if (!copy(from, offset_ - bytes, bytes)) {
                return false;
            }
            from = known->offset;
            bytes = 0;
        }
        bytes += chunk.length;
        offset_ += chunk.length;
        ++next_;
    }
    if (!copy(from, offset_ - bytes, bytes)) {
        return false;
    }
    Blake3 all;
    std::uint64_t at = begin;
    for (std::size_t chunk = first; chunk < next_; ++chunk) {
        const Extents::Run &run = list_->runs[chunk];
        Blake3 one;
        // The basis may have changed.
        if (!hash_range(file(), at, at + run.length, {&one, &all}) ||
            shortened(one.finish()) != run.hash) {
            return false;
        }
        at += run.length;
    }
    last_hash_ = all.finish();
    add_extent({.offset = begin, .length = offset_ - begin, .hash = shortened(last_hash_)});
    runs_.push_back({.length = offset_ - begin, .hash = shortened(last_hash_)});
    return true;
}

/// Shares the blocks of data that has not moved, if the file system can.
bool ChunkCopy::copy(std::uint64_t from, std::uint64_t to, std::uint64_t bytes) const {
    const std::uint64_t begin = (from + kShared - 1) / kShared * kShared;
    const std::uint64_t end = (from + bytes) / kShared * kShared;
    if (from != to || begin >= end) {
        return move_range(from, to, bytes);
    }
    return move_range(from, from, begin - from) && copy_range(begin, end - begin) &&
           move_range(end, end, from + bytes - end);
}

PartCopy::Copied ChunkCopy::take() {
    const Extent &last = extents().back();
    const std::uint64_t end = last.end();
    std::erase_if(gaps_, [end](const ByteRange &gap) { return gap.offset >= end; });
    if (runs_.back().hash == ShortHash{}) {
        runs_.pop_back();
    }
    auto copied = PartCopy::take({.index = index(),
                                  .offset = end,
                                  .hash_begin = last.offset,
                                  .hash = last_hash_,
                                  .validator = list_->validator},
                                 std::move(runs_));
    copied.partial.gaps = std::move(gaps_);
    return copied;
}

} // namespace thru

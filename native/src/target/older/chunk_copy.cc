#include "target/older/chunk_copy.h"

#include <algorithm>
#include <cstring>

namespace thru {

namespace {

/// Chunks of a basis that are kept: about 60 MiB of memory.
constexpr std::size_t kMaxKnown = 1 << 21;
/// Maximum number of missing ranges in a file. After an interruption the journal gives no more.
constexpr std::size_t kMaxGaps = JournalFile::kMaxGaps;
/// Data rarely moves farther than the file has bytes. Reading more takes longer than receiving.
constexpr std::uint64_t kMoreRead = 1ULL << 30;

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
        reading_.emplace(content(), basis_bytes_, lengths_);
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
    Blake3 all;
    while (next_ < list_->runs.size()) {
        // Chunks that are neighbors in both files are copied at once.
        const std::size_t first = next_;
        const Known *known = find(list_->runs[first]);
        const std::uint64_t from = known == nullptr ? 0 : known->offset;
        std::uint64_t bytes = 0;
        while (known != nullptr && known->offset == from + bytes &&
               bytes + known->length <= kRangeBytes &&
               offset_ - begin + bytes + known->length <= kSegmentBytes) {
            bytes += known->length;
            ++next_;
            known = next_ < list_->runs.size() ? find(list_->runs[next_]) : nullptr;
        }
        if (bytes == 0) {
            break;
        }
        const auto copied = copy_range(from, offset_, bytes);
        if (!copied || !are_chunks(first, *copied)) {
            return false;
        }
        all.update(*copied);
        offset_ += bytes;
    }
    last_hash_ = all.finish();
    add_extent({.offset = begin, .length = offset_ - begin, .hash = shortened(last_hash_)});
    runs_.push_back({.length = offset_ - begin, .hash = shortened(last_hash_)});
    return true;
}

/// The basis may have changed since it was divided.
bool ChunkCopy::are_chunks(std::size_t first, ByteView bytes) const {
    for (; !bytes.empty(); ++first) {
        const Extents::Run &chunk = list_->runs[first];
        const auto length = static_cast<std::size_t>(chunk.length);
        Blake3 hasher;
        hasher.update(bytes.first(length));
        if (shortened(hasher.finish()) != chunk.hash) {
            return false;
        }
        bytes = bytes.subspan(length);
    }
    return true;
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

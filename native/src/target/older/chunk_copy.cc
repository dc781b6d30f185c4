#include "target/older/chunk_copy.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace thru {

namespace {

/// Chunks of a basis that are kept: about 60 MiB of memory.
constexpr std::size_t kMaxKnown = 1 << 21;
/// Data rarely moves farther than the file has bytes. Reading more takes longer than receiving.
constexpr std::uint64_t kMoreRead = 1ULL << 30;
/// After this many other bytes, what follows has moved: comparing it at the same place is in vain.
constexpr std::uint64_t kMaxOther = 32ULL << 20;
/// Less data is received whole: listing its blocks takes a round trip.
constexpr std::uint64_t kMinListed = 1ULL << 20;
/// Extents beyond which edits are requested in whole chunks: about 16 MiB of memory.
constexpr std::size_t kMaxCopiedExtents = 1 << 18;

constexpr auto kByHashAndOffset = [](const auto &a, const auto &b) {
    const int order = std::memcmp(a.hash.data(), b.hash.data(), a.hash.size());
    return order != 0 ? order < 0 : a.offset < b.offset;
};

/// The difference between an offset of the basis and that of equal data in the file.
std::int64_t shift_between(std::uint64_t basis_offset, std::uint64_t offset) {
    return static_cast<std::int64_t>(basis_offset) - static_cast<std::int64_t>(offset);
}

/// Maximum number of missing ranges in a file. After an interruption the journal gives no more.
std::size_t gaps_left(const ReceiveFolder::State &state) {
    const std::uint64_t used = std::min(state.chunk_gaps, kMaxChunkGaps);
    return static_cast<std::size_t>(
        std::min<std::uint64_t>(JournalFile::kMaxGaps, kMaxChunkGaps - used));
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
    if (!lengths || !files || gaps_left(state) == 0) {
        return nullptr;
    }
    const std::uint64_t bytes =
        std::min(files->basis_bytes, 2 * state.manifest->file_size(index) + kMoreRead);
    return std::unique_ptr<ChunkCopy>(
        new ChunkCopy(state, index, *lengths, bytes, std::move(*files)));
}

ChunkCopy::ChunkCopy(ReceiveFolder::State &state, std::uint64_t index, const ChunkLengths &lengths,
                     std::uint64_t basis_bytes, Files files)
    : PartCopy(state, index, std::move(files)), state_(state), list_(state.chunks.list(index)),
      lengths_(lengths), size_(state.manifest->file_size(index)), basis_bytes_(basis_bytes),
      max_gaps_(gaps_left(state)),
      edits_(state.chunks, index, size_, basis_bytes, disk_of_edits()) {}

PartCopy::Step ChunkCopy::step(StepBudget &budget) {
    state_.chunks.set_waits(false);
    if (!edits_.take_answers(budget) || !keep(written_.offset, written_.end())) {
        return Step::Failed;
    }
    written_ = {};
    if (edits_.has_answers()) {
        return Step::More;
    }
    const bool compares = phase_ == Phase::Compare && next_ < list_.runs.size();
    if (phase_ == Phase::List) {
        list_left_out();
    }
    const bool waits = phase_ == Phase::List ? edits_.waits()
                                             : !compares && phase_ != Phase::Divide && !list_.ended;
    state_.chunks.set_waits(waits);
    if (waits) {
        return Step::Waits;
    }
    if (list_.failed) {
        return Step::Failed;
    }
    switch (phase_) {
    case Phase::Compare:
        return compare_some(budget);
    case Phase::Divide:
        return divide_some(budget);
    case Phase::Index:
        index_chunks();
        return Step::More;
    case Phase::Move:
        return move_some(budget);
    case Phase::List:
        break;
    }
    return extents().empty() || !finish(last_end_) ? Step::Failed : Step::Done;
}

PartCopy::Step ChunkCopy::compare_some(StepBudget &budget) {
    const std::uint64_t begin = offset_;
    const auto other = [this] {
        return missing_.empty() || missing_.back().range.end() != offset_
                   ? 0
                   : missing_.back().range.length;
    };
    bool compares = true;
    while (compares && next_ < list_.runs.size() && offset_ - begin < StepBudget::kBytes) {
        std::uint64_t bytes = 0;
        std::size_t chunks = 0;
        for (std::size_t next = next_; next < list_.runs.size(); ++next, ++chunks) {
            if (bytes + list_.runs[next].length > kRangeBytes) {
                break;
            }
            bytes += list_.runs[next].length;
        }
        if (!compare(chunks, bytes)) {
            return Step::Failed;
        }
        compares = free_gaps() > 0 && other() < kMaxOther;
    }
    budget.spend_bytes(2 * (offset_ - begin));
    if (!keep(begin, offset_)) {
        return Step::Failed;
    }
    if (!compares && offset_ < size_) {
        add_missing(size_ - offset_);
    }
    if (offset_ == size_) {
        end_extent();
        phase_ = Phase::Divide;
    }
    return Step::More;
}

bool ChunkCopy::compare(std::size_t chunks, std::uint64_t bytes) {
    const std::uint64_t there =
        offset_ < basis_bytes_ ? std::min(bytes, basis_bytes_ - offset_) : 0;
    const auto range = read_range(offset_, offset_, there);
    if (!range) {
        return false;
    }
    ByteView rest = *range;
    std::size_t equal = 0;
    for (; chunks > 0 && free_gaps() > 0; --chunks) {
        const Extents::Run chunk = list_.runs[next_];
        const auto length = static_cast<std::size_t>(chunk.length);
        if (rest.size() - equal >= length && is_same(chunk, rest.subspan(equal, length))) {
            equal += length;
            ++next_;
            continue;
        }
        if (!write_compared(rest.first(equal))) {
            return false;
        }
        rest = rest.subspan(std::min(equal + length, rest.size()));
        equal = 0;
        add_missing(length);
        ++next_;
    }
    return write_compared(rest.first(equal));
}

/// A match of a short last chunk would let the sender guess its bytes.
bool ChunkCopy::is_same(const Extents::Run &chunk, ByteView bytes) const {
    if (chunk.length < lengths_.min()) {
        return false;
    }
    return shortened(blake3_of(bytes)) == chunk.hash;
}

bool ChunkCopy::write_compared(ByteView bytes) {
    if (bytes.empty()) {
        return true;
    }
    if (!write_range(offset_, offset_, bytes)) {
        return false;
    }
    note_edit();
    extend(bytes);
    return true;
}

/// Data that has moved is not followed by equal data at the same place.
void ChunkCopy::note_edit() {
    if (!missing_.empty() && missing_.back().range.end() == offset_) {
        missing_.back().edited =
            extents().size() < kMaxCopiedExtents && edits_.add(missing_.back().range, free_gaps());
        edited_ += missing_.back().edited ? 1 : 0;
    }
}

EditedRanges::Disk ChunkCopy::disk_of_edits() {
    static_assert(EditedRanges::kReadBytes <= kRangeBytes);
    return {.read = [this](std::uint64_t from, std::uint64_t to,
                           std::uint64_t bytes) { return read_range(from, to, bytes); },
            .keep =
                [this](std::uint64_t from, std::uint64_t to, ByteView bytes) {
                    note_written(to, bytes);
                    return write_range(from, to, bytes);
                },
            .fill =
                [this](std::uint64_t offset, ByteView bytes) {
                    note_written(offset, bytes);
                    return write_cached(offset, bytes);
                }};
}

void ChunkCopy::add_missing(std::uint64_t length) {
    end_extent();
    if (!missing_.empty() && missing_.back().range.end() == offset_) {
        missing_.back().range.length += length;
    } else {
        missing_.push_back({.first = next_, .range = {.offset = offset_, .length = length}});
    }
    offset_ += length;
}

PartCopy::Step ChunkCopy::divide_some(StepBudget &budget) {
    std::uint64_t read = 0;
    while (current_ < missing_.size() && known_.size() < kMaxKnown && read < StepBudget::kBytes) {
        if (missing_[current_].edited) {
            ++current_;
            continue;
        }
        if (!reading_) {
            const ByteRange range = missing_of_basis(current_);
            reading_.emplace(content(), range.offset, range.end(), lengths_);
        }
        if (reading_->done()) {
            reading_.reset();
            ++current_;
            continue;
        }
        const auto chunk = reading_->next();
        if (!chunk) {
            return Step::Failed;
        }
        read += chunk->length;
        if (chunk->length >= lengths_.min()) {
            known_.push_back({.hash = shortened(chunk->hash),
                              .offset = chunk->offset,
                              .length = static_cast<std::uint32_t>(chunk->length)});
        }
    }
    budget.spend_bytes(read);
    if (current_ == missing_.size() || known_.size() == kMaxKnown) {
        reading_.reset();
        phase_ = Phase::Index;
    }
    return Step::More;
}

/// The last range reaches the end of the basis, which may be longer than the file.
ByteRange ChunkCopy::missing_of_basis(std::size_t number) const {
    const ByteRange &range = missing_[number].range;
    const std::uint64_t end =
        range.end() == size_ ? basis_bytes_ : std::min(range.end(), basis_bytes_);
    return {.offset = range.offset, .length = end > range.offset ? end - range.offset : 0};
}

void ChunkCopy::index_chunks() {
    current_ = 0;
    phase_ = Phase::Move;
    if (missing_.empty()) {
        return;
    }
    std::uint64_t offset = 0;
    auto missing = missing_.begin();
    for (const Extents::Run &chunk : list_.runs) {
        while (missing != missing_.end() && missing->range.end() <= offset) {
            ++missing;
        }
        const bool compared = missing == missing_.end() || offset < missing->range.offset;
        if (compared && known_.size() < kMaxKnown) {
            known_.push_back({.hash = chunk.hash,
                              .offset = offset,
                              .length = static_cast<std::uint32_t>(chunk.length)});
        }
        offset += chunk.length;
    }
    std::ranges::sort(known_, kByHashAndOffset);
}

const ChunkCopy::Known *ChunkCopy::find(const Extents::Run &chunk, std::uint64_t offset) const {
    const auto is_same = [&](const Known &known) {
        return known.hash == chunk.hash && known.length == chunk.length;
    };
    const auto found = std::ranges::lower_bound(known_, Known{.hash = chunk.hash, .offset = offset},
                                                kByHashAndOffset);
    if (found != known_.end() && is_same(*found)) {
        return &*found;
    }
    return found != known_.begin() && is_same(*std::prev(found)) ? &*std::prev(found) : nullptr;
}

PartCopy::Step ChunkCopy::move_some(StepBudget &budget) {
    std::uint64_t begin = size_;
    std::uint64_t moved = 0;
    while (current_ < missing_.size() && moved < StepBudget::kBytes) {
        Missing &missing = missing_[current_];
        if (missing.edited) {
            ++current_;
            continue;
        }
        begin = std::min(begin, missing.range.offset);
        const auto bytes = move_next(missing);
        if (!bytes) {
            return Step::Failed;
        }
        moved += *bytes;
    }
    budget.spend_bytes(2 * moved);
    if (moved > 0 && !keep(begin, std::max(begin, offset_))) {
        return Step::Failed;
    }
    if (current_ == missing_.size()) {
        phase_ = Phase::List;
        if (not_found_bytes_ < kMinListed) {
            not_found_.clear();
        }
    }
    return Step::More;
}

std::optional<std::uint64_t> ChunkCopy::move_next(Missing &missing) {
    next_ = missing.first;
    offset_ = missing.range.offset;
    const std::uint64_t expected = offset_ + static_cast<std::uint64_t>(shift_);
    const Known *known = find(list_.runs[next_], expected);
    std::uint64_t bytes = 0;
    if (known == nullptr) {
        end_extent();
        left_out_ = true;
        bytes = leave_out(missing);
    } else if (left_out_ && free_gaps() == 0) {
        // The rest of the range is sent as if the basis had nothing of it.
        bytes = missing.range.length;
    } else {
        extra_gaps_ += left_out_ ? 1 : 0;
        left_out_ = false;
        // Chunks that are neighbors in both files are copied at once.
        const std::uint64_t from = known->offset;
        while (known != nullptr && known->offset == from + bytes &&
               bytes + known->length <= kRangeBytes) {
            bytes += known->length;
            ++missing.first;
            known = bytes < missing.range.length ? find(list_.runs[missing.first], from + bytes)
                                                 : nullptr;
        }
        const auto range = read_range(from, offset_, bytes);
        if (!range || !are_next_chunks(*range) || !write_range(from, offset_, *range)) {
            return std::nullopt;
        }
        extend(*range);
        shift_ = shift_between(from, missing.range.offset);
    }
    missing.range.offset += bytes;
    missing.range.length -= bytes;
    if (missing.range.length == 0) {
        end_extent();
        left_out_ = false;
        shift_ = 0;
        ++current_;
    }
    return bytes;
}

std::uint64_t ChunkCopy::leave_out(Missing &missing) {
    std::uint64_t bytes = 0;
    const Known *next = nullptr;
    while (next == nullptr && bytes < std::min(missing.range.length, StepBudget::kBytes)) {
        bytes += list_.runs[missing.first++].length;
        if (bytes < missing.range.length) {
            next = find(list_.runs[missing.first], offset_ + bytes);
        }
    }
    std::int64_t after = shift_;
    if (next != nullptr) {
        after = shift_between(next->offset, offset_ + bytes);
    } else if (bytes == missing.range.length && missing.range.end() < size_) {
        // Equal data at the same place follows.
        after = 0;
    }
    if (not_found_.empty() || not_found_.back().range.end() != offset_) {
        not_found_.push_back({.range = {.offset = offset_, .length = 0}, .shifts = {shift_, 0}});
    }
    not_found_.back().range.length += bytes;
    not_found_.back().shifts[1] = after;
    not_found_bytes_ += bytes;
    return bytes;
}

void ChunkCopy::list_left_out() {
    while (!not_found_.empty() && extents().size() < kMaxCopiedExtents) {
        NotFound &next = not_found_.front();
        const std::uint64_t end =
            std::min(next.range.end(), next.range.offset / kFileBlockBytes * kFileBlockBytes +
                                           EditedRanges::kMaxRange);
        const ByteRange part{.offset = next.range.offset, .length = end - next.range.offset};
        if (!edits_.try_add(part, next.shifts, free_gaps())) {
            return;
        }
        next.range = {.offset = end, .length = next.range.end() - end};
        if (next.range.length == 0) {
            not_found_.pop_front();
            ++listed_;
        }
    }
}

/// The basis may have changed since it was divided.
bool ChunkCopy::are_next_chunks(ByteView bytes) const {
    for (std::size_t next = next_; !bytes.empty(); ++next) {
        const Extents::Run &chunk = list_.runs[next];
        const auto length = static_cast<std::size_t>(chunk.length);
        if (!is_same(chunk, bytes.first(length))) {
            return false;
        }
        bytes = bytes.subspan(length);
    }
    return true;
}

void ChunkCopy::extend(ByteView bytes) {
    if (open_ && open_->length + bytes.size() > kSegmentBytes) {
        end_extent();
    }
    if (!open_) {
        open_.emplace(Open{.begin = offset_});
    }
    open_->hasher.update(bytes);
    open_->length += bytes.size();
    offset_ += bytes.size();
}

void ChunkCopy::end_extent() {
    if (!open_) {
        return;
    }
    add_extent(open_->begin, open_->length, open_->hasher.finish());
    open_.reset();
}

void ChunkCopy::note_written(std::uint64_t offset, ByteView bytes) {
    add_extent(offset, bytes.size(), blake3_of(bytes));
    const std::uint64_t begin = written_.length == 0 ? offset : std::min(written_.offset, offset);
    const std::uint64_t end = std::max(written_.end(), offset + bytes.size());
    written_ = {.offset = begin, .length = end - begin};
}

void ChunkCopy::add_extent(std::uint64_t offset, std::uint64_t length, const Hash &hash) {
    PartCopy::add_extent({.offset = offset, .length = length, .hash = shortened(hash)});
    if (offset + length > last_end_) {
        last_begin_ = offset;
        last_end_ = offset + length;
        last_hash_ = hash;
    }
}

PartCopy::Copied ChunkCopy::take() {
    std::vector<Extents::Run> runs;
    std::vector<ByteRange> gaps;
    std::uint64_t end = 0;
    for (const Extent &extent : extents()) {
        if (extent.offset > end) {
            gaps.push_back({.offset = end, .length = extent.offset - end});
            runs.push_back({.length = extent.offset - end});
        }
        runs.push_back({.length = extent.length, .hash = extent.hash});
        end = extent.end();
    }
    state_.chunk_gaps += gaps.size();
    auto copied = PartCopy::take({.index = index(),
                                  .offset = last_end_,
                                  .hash_begin = last_begin_,
                                  .hash = last_hash_,
                                  .validator = list_.validator},
                                 std::move(runs));
    copied.partial.gaps = std::move(gaps);
    copied.fetched_bytes = edits_.fetched_bytes();
    return copied;
}

} // namespace thru

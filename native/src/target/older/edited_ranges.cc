#include "target/older/edited_ranges.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include "crypto/digest.h"
#include "wire/segment.h"

namespace thru {

namespace {

/// Limits of bytes on their way: 256 KiB of hashes, and data for 100 MB/s at 80 ms.
constexpr std::uint64_t kMaxListed = 64ULL << 20;
constexpr std::uint64_t kMaxFetching = 8ULL << 20;
/// A match of a shorter last block would let the sender guess its bytes.
constexpr std::uint64_t kMinBlock = 2ULL << 10;
/// Hashes of blocks are worth their bytes and the sender's reading if one block in this many is
/// equal.
constexpr std::int64_t kWorth = 16;
/// Equal blocks that were found early do not make up for more than this.
constexpr std::int64_t kMaxCredit = 256LL << 20;

/// The blocks that contain a range of a file.
ByteRange blocks_of(const ByteRange &range, std::uint64_t size) {
    const std::uint64_t begin = range.offset / kFileBlockBytes * kFileBlockBytes;
    const std::uint64_t end =
        (range.end() + kFileBlockBytes - 1) / kFileBlockBytes * kFileBlockBytes;
    return {.offset = begin, .length = std::min(end, size) - begin};
}

ByteRange common(const ByteRange &a, const ByteRange &b) {
    const std::uint64_t begin = std::max(a.offset, b.offset);
    const std::uint64_t end = std::min(a.end(), b.end());
    return {.offset = begin, .length = end > begin ? end - begin : 0};
}

/// Maximum number of gaps that the blocks of a range leave.
std::size_t most_gaps(const ByteRange &range) {
    return static_cast<std::size_t>(range.length / kFileBlockBytes / 2) + 2;
}

} // namespace

bool EditedRanges::add(const ByteRange &range, std::size_t max_gaps) {
    return ask({.range = range}, max_gaps);
}

bool EditedRanges::ask(const Listed &listed, std::size_t max_gaps) {
    const ByteRange &range = listed.range;
    if (range.length > kMaxRange || listed_bytes_ + range.length > kMaxListed ||
        most_gaps(range) > max_gaps) {
        return false;
    }
    gaps_ += most_gaps(range);
    listed_.push_back(listed);
    listed_bytes_ += range.length;
    requests_.list_blocks({.index = index_, .range = blocks_of(range, size_)});
    return true;
}

bool EditedRanges::try_add(const ByteRange &range, const Shifts &shifts, std::size_t max_gaps) {
    return static_cast<std::int64_t>(listed_bytes_ + range.length) <= credit_ &&
           ask({.range = range, .shifts = shifts, .fetch = false}, max_gaps);
}

std::int64_t EditedRanges::first_credit(std::uint64_t size) {
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(size / 16), 16LL << 20, kMaxCredit);
}

bool EditedRanges::take_answers(StepBudget &budget) {
    std::ranges::move(requests_.take_answers(index_), std::back_inserter(answers_));
    std::uint64_t taken = 0;
    while (!answers_.empty() && taken < StepBudget::kBytes) {
        const RangeAnswer answer = std::move(answers_.front());
        answers_.pop_front();
        if (const auto *part = std::get_if<Fetched>(&answer)) {
            taken += part->bytes.size();
            if (!take(*part)) {
                return false;
            }
            continue;
        }
        const Listed listed = listed_.front();
        listed_.pop_front();
        listed_bytes_ -= listed.range.length;
        gaps_ -= most_gaps(listed.range);
        taken += 2 * listed.range.length;
        if (!compare(listed, std::get<FileBlocks>(answer).hashes)) {
            return false;
        }
    }
    budget.spend_bytes(taken);
    return true;
}

bool EditedRanges::compare(const Listed &listed, const std::vector<ShortHash> &hashes) {
    const ByteRange &missing = listed.range;
    const ByteRange all = blocks_of(missing, size_);
    gaps_ += hashes.empty() ? 1 : 0;
    std::span<const ShortHash> left(hashes);
    std::int64_t credit = -static_cast<std::int64_t>(missing.length);
    for (std::uint64_t begin = all.offset; !left.empty(); begin += kReadBytes) {
        const ByteRange window{.offset = begin, .length = std::min(kReadBytes, all.end() - begin)};
        const std::size_t blocks =
            static_cast<std::size_t>((window.length + kFileBlockBytes - 1) / kFileBlockBytes);
        std::vector<bool> found(blocks);
        const std::size_t places = listed.shifts[0] == listed.shifts[1] ? 1 : 2;
        for (const std::int64_t shift : std::span(listed.shifts).first(places)) {
            const auto kept = keep_equal(window, missing, shift, left, found);
            if (!kept) {
                return false;
            }
            credit += kWorth * static_cast<std::int64_t>(*kept);
        }
        for (std::size_t block = 0; block < blocks;) {
            const std::size_t first = block;
            while (block < blocks && found[block] == found[first]) {
                ++block;
            }
            if (found[first]) {
                continue;
            }
            ++gaps_;
            if (listed.fetch) {
                const std::uint64_t offset = begin + first * kFileBlockBytes;
                const std::uint64_t end = std::min(begin + block * kFileBlockBytes, window.end());
                const ByteRange range{.offset = offset, .length = end - offset};
                const auto hashes_of_range = left.subspan(first, block - first);
                fetch({.range = range,
                       .missing = common(range, missing),
                       .hashes = {hashes_of_range.begin(), hashes_of_range.end()}});
            }
        }
        left = left.subspan(blocks);
    }
    credit_ = listed.fetch ? credit_ : std::min(credit_ + credit, kMaxCredit);
    return true;
}

std::optional<std::uint64_t> EditedRanges::keep_equal(const ByteRange &window,
                                                      const ByteRange &missing, std::int64_t shift,
                                                      std::span<const ShortHash> hashes,
                                                      std::vector<bool> &found) {
    const auto basis = static_cast<std::int64_t>(basis_);
    const auto first = static_cast<std::int64_t>(window.offset) + shift;
    const std::int64_t from = std::clamp<std::int64_t>(first, 0, basis);
    const std::int64_t until =
        std::clamp(first + static_cast<std::int64_t>(window.length), from, basis);
    const std::uint64_t to = static_cast<std::uint64_t>(from - shift);
    const auto bytes =
        disk_.read(static_cast<std::uint64_t>(from), to, static_cast<std::uint64_t>(until - from));
    if (!bytes) {
        return std::nullopt;
    }
    std::uint64_t kept = 0;
    const auto keep = [&](const ByteRange &blocks) {
        const ByteRange run = common(blocks, missing);
        kept += run.length;
        const auto at = static_cast<std::size_t>(run.offset - to);
        return disk_.keep(static_cast<std::uint64_t>(from) + at, run.offset,
                          bytes->subspan(at, static_cast<std::size_t>(run.length)));
    };
    ByteRange equal{.offset = window.offset, .length = 0};
    for (std::size_t block = 0; block < found.size(); ++block) {
        const std::uint64_t offset = window.offset + block * kFileBlockBytes;
        const std::uint64_t length = block_length(offset);
        const bool readable =
            length >= kMinBlock && offset >= to && offset + length <= to + bytes->size();
        if (found[block] || !readable ||
            shortened(blake3_of(bytes->subspan(static_cast<std::size_t>(offset - to),
                                               static_cast<std::size_t>(length)))) !=
                hashes[block]) {
            continue;
        }
        found[block] = true;
        if (equal.end() != offset) {
            if (equal.length > 0 && !keep(equal)) {
                return std::nullopt;
            }
            equal = {.offset = offset, .length = 0};
        }
        equal.length += length;
    }
    return equal.length == 0 || keep(equal) ? std::optional(kept) : std::nullopt;
}

void EditedRanges::fetch(Blocks blocks) {
    if (fetching_bytes_ + blocks.range.length > kMaxFetching) {
        return;
    }
    fetching_bytes_ += blocks.range.length;
    requests_.fetch({.index = index_, .range = blocks.range});
    fetching_.push_back(std::move(blocks));
}

/// Bytes of another version of the file are requested again with the rest.
bool EditedRanges::take(const Fetched &part) {
    const Blocks &blocks = fetching_.front();
    arrived_ += part.bytes;
    if (arrived_.size() < blocks.range.length && !part.bytes.empty()) {
        return true;
    }
    const ByteView bytes = as_bytes(arrived_);
    bool right = bytes.size() == blocks.range.length;
    std::size_t at = 0;
    for (const ShortHash &hash : blocks.hashes) {
        const auto length = static_cast<std::size_t>(block_length(blocks.range.offset + at));
        right = right && shortened(blake3_of(bytes.subspan(at, length))) == hash;
        at += length;
    }
    const auto begin = static_cast<std::size_t>(blocks.missing.offset - blocks.range.offset);
    const bool written =
        !right || disk_.fill(blocks.missing.offset,
                             bytes.subspan(begin, static_cast<std::size_t>(blocks.missing.length)));
    fetched_bytes_ += right ? blocks.range.length : 0;
    gaps_ -= right ? 1 : 0;
    fetching_bytes_ -= blocks.range.length;
    fetching_.pop_front();
    arrived_.clear();
    return written;
}

std::uint64_t EditedRanges::block_length(std::uint64_t offset) const {
    return std::min<std::uint64_t>(kFileBlockBytes, size_ - offset);
}

} // namespace thru

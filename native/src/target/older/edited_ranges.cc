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

bool EditedRanges::try_add(const ByteRange &range, std::size_t max_gaps) {
    return static_cast<std::int64_t>(listed_bytes_ + range.length) <= credit_ &&
           ask({.range = range, .fetch = false}, max_gaps);
}

std::int64_t EditedRanges::first_credit(std::uint64_t size) {
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(size / 64), 4LL << 20, kMaxCredit);
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
    std::uint64_t kept = 0;
    std::size_t block = 0;
    for (std::uint64_t begin = all.offset; block < hashes.size(); begin += kReadBytes) {
        const std::uint64_t end = std::min(begin + kReadBytes, all.end());
        const auto bytes = disk_.read(begin, std::min(end, std::max(begin, basis_)) - begin);
        if (!bytes) {
            return false;
        }
        const auto is_equal = [&](std::uint64_t offset) {
            const auto at = static_cast<std::size_t>(offset - begin);
            const auto length = static_cast<std::size_t>(block_length(offset));
            return length >= kMinBlock && at + length <= bytes->size() &&
                   shortened(blake3_of(bytes->subspan(at, length))) == hashes[block];
        };
        for (std::uint64_t offset = begin; offset < end;) {
            Blocks run{.range = {.offset = offset}, .missing = {}, .hashes = {}};
            const bool equal = is_equal(offset);
            do {
                run.hashes.push_back(hashes[block++]);
                offset += block_length(offset);
            } while (offset < end && is_equal(offset) == equal);
            run.range.length = offset - run.range.offset;
            run.missing = common(run.range, missing);
            kept += equal ? run.missing.length : 0;
            if (!equal && listed.fetch) {
                fetch(std::move(run));
            } else if (!equal) {
                ++gaps_;
            } else if (!disk_.keep(
                           run.missing.offset,
                           bytes->subspan(static_cast<std::size_t>(run.missing.offset - begin),
                                          static_cast<std::size_t>(run.missing.length)))) {
                return false;
            }
        }
    }
    credit_ = std::min(credit_ + (kWorth * static_cast<std::int64_t>(kept)) -
                           static_cast<std::int64_t>(missing.length),
                       kMaxCredit);
    return true;
}

void EditedRanges::fetch(Blocks blocks) {
    ++gaps_;
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

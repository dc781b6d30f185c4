// Fills missing ranges of a file with blocks of the basis and the sender.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "target/entry_run.h"
#include "target/older/chunk_requests.h"
#include "wire/control.h"

namespace thru {

/// Asks the sender for the hashes of a range's blocks, and keeps equal blocks of the basis. It
/// fetches others of a range that was edited in its place. Folder's strand.
class EditedRanges {
public:
    struct Disk {
        /// Reads at most kReadBytes at `from` of the basis, to be kept near `to`; valid until the
        /// next call. nullopt if that failed.
        std::function<std::optional<ByteView>(std::uint64_t from, std::uint64_t to,
                                              std::uint64_t bytes)>
            read;
        /// Writes bytes that were read at `from` to the part file. False if that failed.
        std::function<bool(std::uint64_t from, std::uint64_t to, ByteView bytes)> keep;
        /// Writes fetched bytes to it.
        std::function<bool(std::uint64_t offset, ByteView bytes)> fill;
    };
    static constexpr std::uint64_t kReadBytes = 1ULL << 20;

    /// Entry `index` has `size` bytes in the offer, and its basis has `basis` bytes. `requests`
    /// must outlive this.
    EditedRanges(ChunkRequests &requests, std::uint64_t index, std::uint64_t size,
                 std::uint64_t basis, Disk disk)
        : requests_(requests), index_(index), size_(size), basis_(basis), disk_(std::move(disk)),
          credit_(first_credit(size)) {}

    /// Maximum length of a range.
    static constexpr std::uint64_t kMaxRange = 2ULL << 20;
    /// Differences between offsets of the basis and of the file.
    using Shifts = std::array<std::int64_t, 2>;

    /// Asks for the blocks of a range that was edited in its place. False if it is too long, too
    /// much is on its way, or it could leave more than `max_gaps`.
    bool add(const ByteRange &range, std::size_t max_gaps);
    /// The same for a range that has perhaps nothing of the basis, at either of two places: blocks
    /// that differ are left out. False, too, if the ranges so far had too few equal blocks.
    bool try_add(const ByteRange &range, const Shifts &shifts, std::size_t max_gaps);
    /// Handles the answers so far, as the budget allows. What they lack stays missing. False if the
    /// disk failed.
    bool take_answers(StepBudget &budget);
    /// Some answers are left for the next step.
    bool has_answers() const { return !answers_.empty(); }
    /// Answers are on their way.
    bool waits() const { return !listed_.empty() || !fetching_.empty(); }
    /// Maximum number of gaps that the ranges leave.
    std::size_t gaps() const { return gaps_; }
    /// Number of fetched bytes with the hashes of their blocks, in whole blocks.
    std::uint64_t fetched_bytes() const { return fetched_bytes_; }

private:
    /// Consecutive blocks that differ.
    struct Blocks {
        ByteRange range;
        /// The part of it that is missing.
        ByteRange missing;
        std::vector<ShortHash> hashes;
    };
    static std::int64_t first_credit(std::uint64_t size);
    struct Listed {
        ByteRange range;
        Shifts shifts{};
        /// Blocks that differ are fetched.
        bool fetch = true;
    };
    bool ask(const Listed &listed, std::size_t max_gaps);
    bool compare(const Listed &listed, const std::vector<ShortHash> &hashes);
    /// Copies the equal blocks of a window, and sets `found` for these. Returns their bytes;
    /// nullopt if the disk failed.
    std::optional<std::uint64_t> keep_equal(const ByteRange &window, const ByteRange &missing,
                                            std::int64_t shift, std::span<const ShortHash> hashes,
                                            std::vector<bool> &found);
    bool take(const Fetched &part);
    void fetch(Blocks blocks);
    std::uint64_t block_length(std::uint64_t offset) const;

    ChunkRequests &requests_;
    const std::uint64_t index_;
    const std::uint64_t size_;
    const std::uint64_t basis_;
    const Disk disk_;
    std::deque<RangeAnswer> answers_;
    /// Ranges whose blocks are being listed, and the sum of their bytes.
    std::deque<Listed> listed_;
    std::uint64_t listed_bytes_ = 0;
    std::deque<Blocks> fetching_;
    std::uint64_t fetching_bytes_ = 0;
    /// The bytes of the first one that have arrived.
    std::string arrived_;
    std::uint64_t fetched_bytes_ = 0;
    std::size_t gaps_ = 0;
    /// Bytes whose blocks may be asked for by try_add(). These reduce it, and equal blocks among
    /// them add to it.
    std::int64_t credit_;
};

} // namespace thru

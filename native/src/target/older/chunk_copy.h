// Copies the chunks of a basis that the sender's file has, too, wherever they are in either.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/content_chunks.h"
#include "fs/file_chunks.h"
#include "target/older/edited_ranges.h"
#include "target/older/part_copy.h"

namespace thru {

/// Maximum number of missing ranges in all copies of a receive. With those of blocks they are fewer
/// than the RESENDs that a sender answers.
inline constexpr std::uint64_t kMaxChunkGaps = 400'000;

/// Compares the sender's chunks, as their list arrives, with the same place of the basis. Then it
/// divides what was not found there, and looks for the missing chunks in that. Last, it compares
/// blocks of chunks that it found nowhere with the places where their neighbors were.
class ChunkCopy : public PartCopy {
public:
    /// The lengths of the chunks of an entry that can be copied by them.
    static std::optional<ChunkLengths> lengths(const ReceiveFolder::State &state,
                                               std::uint64_t index);
    /// Null if PartCopy::open fails. Needs a ChunkRequests::ask. `state` must outlive this.
    static std::unique_ptr<ChunkCopy> begin(ReceiveFolder::State &state, FolderCursor &cursor,
                                            std::uint64_t index, const std::string &path);

    Step step(StepBudget &budget) override;
    Copied take() override;

private:
    ChunkCopy(ReceiveFolder::State &state, std::uint64_t index, const ChunkLengths &lengths,
              std::uint64_t basis_bytes, Files files);

    Step compare_some(StepBudget &budget);
    /// Compares the next chunks, of this many bytes together, with the same place of the basis.
    bool compare(std::size_t chunks, std::uint64_t bytes);
    bool write_compared(ByteView bytes);
    /// The next bytes are not at the same place of the basis.
    void add_missing(std::uint64_t length);

    Step divide_some(StepBudget &budget);
    ByteRange missing_of_basis(std::size_t number) const;
    /// Adds the chunks that were found at the same place, and makes all ready for find().
    void index_chunks();

    Step move_some(StepBudget &budget);
    struct Missing;
    /// Copies the first chunks of a range, or leaves them out, and takes them from the range.
    /// Returns their bytes; nullopt if that failed.
    std::optional<std::uint64_t> move_next(Missing &missing);
    /// Leaves out the first chunk of a range, which is nowhere in the basis, and others that follow
    /// it. Returns their bytes.
    std::uint64_t leave_out(Missing &missing);
    /// Asks for the blocks of such chunks, while enough of them are equal.
    void list_left_out();
    /// True if these bytes are the chunks of the sender's file from the next one on.
    bool are_next_chunks(ByteView bytes) const;

    /// Number of gaps that are left, at least.
    std::size_t free_gaps() const {
        const std::size_t gaps = missing_.size() - edited_ + extra_gaps_ - listed_ + edits_.gaps();
        return max_gaps_ - std::min(max_gaps_, gaps);
    }
    /// Called where a missing range may have ended.
    void note_edit();
    EditedRanges::Disk disk_of_edits();

    /// Adds bytes that were written at the offset to the extent that ends there.
    void extend(ByteView bytes);
    void end_extent();
    void add_extent(std::uint64_t offset, std::uint64_t length, const Hash &hash);
    /// Adds the extent of a block or more that edits_ writes.
    void note_written(std::uint64_t offset, ByteView bytes);

    struct Known {
        ShortHash hash{};
        std::uint64_t offset = 0;
        std::uint32_t length = 0;
    };
    /// The same chunk of the basis; if there are several, the one at `offset` or behind it.
    const Known *find(const Extents::Run &chunk, std::uint64_t offset) const;
    bool is_same(const Extents::Run &chunk, ByteView bytes) const;

    ReceiveFolder::State &state_;
    /// The chunks of the sender's file that have arrived.
    const ChunkList &list_;
    const ChunkLengths lengths_;
    const std::uint64_t size_;
    const std::uint64_t basis_bytes_;
    const std::size_t max_gaps_;
    enum class Phase : std::uint8_t { Compare, Divide, Index, Move, List };
    Phase phase_ = Phase::Compare;
    /// The next chunk of the list, and its offset in the sender's file.
    std::size_t next_ = 0;
    std::uint64_t offset_ = 0;

    /// Consecutive chunks that are not at the same place of the basis.
    struct Missing {
        std::size_t first = 0;
        ByteRange range;
        /// It was edited in its place, so nothing of it is looked for elsewhere.
        bool edited = false;
    };
    std::vector<Missing> missing_;
    /// Number of them that were edited in their place.
    std::size_t edited_ = 0;
    EditedRanges edits_;
    /// The missing range that is divided or filled.
    std::size_t current_ = 0;
    std::optional<FileChunks> reading_;
    /// Chunks of the basis, by hash once all are known.
    std::vector<Known> known_;
    /// Number of gaps beyond one for each missing range.
    std::size_t extra_gaps_ = 0;
    /// The chunk before the next one was not found.
    bool left_out_ = false;
    /// Consecutive chunks that are nowhere in the basis.
    struct NotFound {
        ByteRange range;
        /// The shifts of the data before it and after it.
        EditedRanges::Shifts shifts{};
    };
    std::deque<NotFound> not_found_;
    std::uint64_t not_found_bytes_ = 0;
    /// Number of them whose blocks were asked for: their gaps count there.
    std::size_t listed_ = 0;
    /// The shift of the data before the next chunk.
    std::int64_t shift_ = 0;
    /// The range in which blocks were written since the last step.
    ByteRange written_;

    struct Open {
        std::uint64_t begin = 0;
        std::uint64_t length = 0;
        Blake3 hasher;
    };
    /// The extent that ends at the offset.
    std::optional<Open> open_;
    /// The last extent in the file.
    std::uint64_t last_begin_ = 0;
    std::uint64_t last_end_ = 0;
    Hash last_hash_{};
};

} // namespace thru

// Copies the chunks of a basis that the sender's file has, too, wherever they are in either.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/content_chunks.h"
#include "fs/file_chunks.h"
#include "target/older/part_copy.h"

namespace thru {

/// Maximum number of missing ranges in all copies of a receive. With those of blocks they are fewer
/// than the RESENDs that a sender answers.
inline constexpr std::uint64_t kMaxChunkGaps = 400'000;

class ChunkCopy : public PartCopy {
public:
    /// The lengths of the chunks of an entry that can be copied by them.
    static std::optional<ChunkLengths> lengths(const ReceiveFolder::State &state,
                                               std::uint64_t index);
    /// Null if PartCopy::open fails. Needs the answer to a ChunkRequests::ask. `state` must outlive
    /// this.
    static std::unique_ptr<ChunkCopy> begin(ReceiveFolder::State &state, FolderCursor &cursor,
                                            std::uint64_t index, const std::string &path);

    Step step(StepBudget &budget) override;
    Copied take() override;

private:
    ChunkCopy(ReceiveFolder::State &state, std::uint64_t index, const ChunkLengths &lengths,
              std::uint64_t basis_bytes, Files files)
        : PartCopy(state, index, std::move(files)), state_(state), lengths_(lengths),
          basis_bytes_(basis_bytes) {}

    Step read_some(StepBudget &budget);
    Step copy_some(StepBudget &budget);
    /// Copies the next chunks, as far as the basis has them, into one extent.
    bool copy_extent();
    void add_gap(std::uint64_t length);
    /// True if these bytes are the chunks of the sender's file from this one on.
    bool are_chunks(std::size_t first, ByteView bytes) const;

    struct Known {
        ShortHash hash{};
        std::uint32_t length = 0;
        std::uint64_t offset = 0;
    };
    const Known *find(const Extents::Run &chunk) const;

    ReceiveFolder::State &state_;
    const ChunkLengths lengths_;
    const std::uint64_t basis_bytes_;
    std::optional<FileChunks> reading_;
    /// The chunks of the basis, by hash once all are known.
    std::vector<Known> known_;
    bool read_ = false;
    /// The chunks of the sender's file.
    std::optional<ChunkList> list_;
    std::size_t next_ = 0;
    /// Offset of the next chunk in the sender's file.
    std::uint64_t offset_ = 0;
    Hash last_hash_{};
    std::vector<ByteRange> gaps_;
    std::vector<Extents::Run> runs_;
};

} // namespace thru

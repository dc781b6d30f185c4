// One file's bytes on the simulated disk: as programs see them, and as they survive a power loss.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "base/bytes.h"

namespace thru::test {

/// Decides what a power loss keeps. Each kind of data is lost, kept or mixed as a whole, so that a
/// few seeds also cover the extremes. The same seed always decides the same.
class Fate {
public:
    enum class Kind : std::uint8_t { Data, Sizes, Names, Attributes };

    explicit Fate(std::uint64_t seed);
    /// Index of the version found afterwards: 0 is the synced one, the last is what programs saw.
    std::size_t version(Kind kind, std::size_t versions);
    bool keeps(Kind kind) { return version(kind, 2) == 1; }
    bool tears();

private:
    enum class Rule : std::uint8_t { Lost, Kept, Mixed };
    std::mt19937_64 random_;
    std::array<Rule, 4> rules_{};
};

class SimContent {
public:
    static constexpr std::uint64_t kBlockBytes = 4096;

    std::uint64_t size() const { return size_; }
    /// Number of blocks that are not holes.
    std::uint64_t blocks() const { return blocks_.size(); }
    /// Number of blocks that this write adds.
    std::uint64_t new_blocks(std::uint64_t offset, std::uint64_t bytes) const;

    std::size_t read(std::uint64_t offset, MutableByteView out) const;
    void write(std::uint64_t offset, ByteView bytes);
    void resize(std::uint64_t bytes);
    /// First byte of data at or after `offset`; the size if there is none.
    std::uint64_t next_data(std::uint64_t offset) const;
    std::uint64_t next_hole(std::uint64_t offset) const;

    void sync();
    /// A failed sync on Linux: programs see the blocks, but no later sync writes them.
    void fail_sync();
    /// Each unsynced block returns to any state since the last sync. A torn block mixes 512-byte
    /// parts. The size varies independently.
    void lose_power(Fate &fate);

private:
    static constexpr std::size_t kSectorBytes = 512;
    using Block = std::array<std::uint8_t, kBlockBytes>;
    /// nullptr is a hole.
    using BlockRef = std::shared_ptr<const Block>;
    using Blocks = std::map<std::uint64_t, BlockRef>;

    struct Unsynced {
        std::vector<BlockRef> versions;
        bool given_up = false;
    };

    static BlockRef at(const Blocks &blocks, std::uint64_t index);
    static void set(Blocks &blocks, std::uint64_t index, BlockRef block);
    void change(std::uint64_t index, BlockRef block);
    void set_size(std::uint64_t bytes);

    Blocks blocks_;
    std::uint64_t size_ = 0;
    Blocks synced_blocks_;
    std::uint64_t synced_size_ = 0;
    std::map<std::uint64_t, Unsynced> unsynced_;
    std::vector<std::uint64_t> unsynced_sizes_;
};

} // namespace thru::test

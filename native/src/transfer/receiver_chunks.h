// The lists of chunks that were requested, while they arrive.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "wire/control.h"

namespace thru {

/// All chunks of a file.
struct ChunkList {
    /// The version of the sender's file.
    WireId validator{};
    std::vector<Extents::Run> runs;
};

class ReceiverChunks {
public:
    /// Expects the list of a file of `size` bytes, for which ChunkLengths exist.
    void expect(std::uint64_t index, std::uint64_t size) { waiting_[index].size = size; }

    struct Answer {
        std::uint64_t index = 0;
        /// nullopt if the sender can't list the file.
        std::optional<ChunkList> list;
    };
    /// Takes a part of a list; returns the list once it is complete. PeerProtocol.
    Result<std::optional<Answer>> take(const Chunks &part);

private:
    struct Waiting {
        std::uint64_t size = 0;
        std::uint64_t end = 0;
        ChunkList list;
    };
    std::unordered_map<std::uint64_t, Waiting> waiting_;
};

} // namespace thru

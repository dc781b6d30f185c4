// The lists of chunks that were requested, while they arrive.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "base/error.h"
#include "wire/control.h"

namespace thru {

class ReceiverChunks {
public:
    /// Expects the list of a file of `size` bytes, for which ChunkLengths exist.
    void expect(std::uint64_t index, std::uint64_t size) { waiting_[index].size = size; }

    /// The next chunks of a file; none if the sender can't list it.
    struct Answer {
        Chunks chunks;
        bool last = false;
    };
    /// Checks a part of a list. PeerProtocol.
    Result<Answer> take(const Chunks &part);

private:
    struct Waiting {
        std::uint64_t size = 0;
        std::uint64_t end = 0;
    };
    std::unordered_map<std::uint64_t, Waiting> waiting_;
};

} // namespace thru

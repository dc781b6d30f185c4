// The lists of chunks that were requested, while they arrive.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <variant>
#include <vector>

#include "base/error.h"
#include "wire/control.h"

namespace thru {

/// Lists and chunks that a receiver needs from the sender.
struct WantedChunks {
    /// Offered files with ChunkLengths whose chunks the sender must list, in rising order.
    std::vector<std::uint64_t> lists;
    /// Files whose lists were asked for, in rising order. The sender counts bytes as requested
    /// again if a range begins before the end of the previous one of its file.
    std::vector<ListBlocks> blocks;
    /// The same rules apply.
    std::vector<Fetch> fetches;
};
using RangeAnswer = std::variant<FileBlocks, Fetched>;

class ReceiverChunks {
public:
    /// Expects the list of a file of `size` bytes, for which ChunkLengths exist.
    void expect(std::uint64_t index, std::uint64_t size) { waiting_[index].size = size; }

    /// Expects the blocks of a range.
    void expect(const ListBlocks &list) { listing_.push_back(list); }
    /// Expects the bytes of a range.
    void expect(const Fetch &fetch) { fetching_.push_back(fetch); }

    /// The next chunks of a file; none if the sender can't list it.
    struct Answer {
        Chunks chunks;
        bool last = false;
    };
    /// Checks a part of a list. PeerProtocol.
    Result<Answer> take(const Chunks &part);
    /// Checks the answer to the oldest ListBlocks. PeerProtocol.
    Result<> take(const FileBlocks &blocks);
    /// Checks a part of the answer to the oldest Fetch. PeerProtocol.
    Result<> take(const Fetched &part);

private:
    struct Waiting {
        std::uint64_t size = 0;
        std::uint64_t end = 0;
    };
    std::unordered_map<std::uint64_t, Waiting> waiting_;
    std::deque<ListBlocks> listing_;
    /// The bytes of each that have not arrived.
    std::deque<Fetch> fetching_;
};

} // namespace thru

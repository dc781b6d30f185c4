#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "transfer/receiver_chunks.h"

namespace thru {

/// Lists of chunks that a folder needs from the sender. Folder's strand.
class ChunkRequests {
public:
    /// Number of chunks in all lists at the same time: about 50 MiB of memory.
    static constexpr std::uint64_t kMaxChunks = 1ULL << 21;

    /// Asks for the list of a file of at most `most` chunks. False if others must be dropped first.
    bool ask(std::uint64_t index, std::uint64_t most) {
        if (expected_ > 0 && expected_ + most > kMaxChunks) {
            return false;
        }
        expected_ += most;
        files_.emplace(index, File{.most = most, .answer = {}});
        asked_.push_back(index);
        return true;
    }
    /// Files whose lists were asked for since the last call.
    std::vector<std::uint64_t> take_asked() { return std::exchange(asked_, {}); }
    /// The answer; an empty one if the sender can't list the file.
    void give(std::uint64_t index, std::optional<ChunkList> list) {
        if (const auto found = files_.find(index); found != files_.end()) {
            found->second.answer = list ? std::move(*list) : ChunkList{};
        }
    }
    /// The answer, once it has arrived. Later work waits for it if it has not.
    std::optional<ChunkList> take(std::uint64_t index) {
        auto &answer = files_.at(index).answer;
        waits_ = !answer;
        return std::exchange(answer, std::nullopt);
    }
    /// The list is no longer needed.
    void drop(std::uint64_t index) {
        if (const auto found = files_.find(index); found != files_.end()) {
            expected_ -= found->second.most;
            files_.erase(found);
        }
    }
    /// The next step needs a list that has not arrived.
    bool waits() const { return waits_; }

private:
    struct File {
        std::uint64_t most = 0;
        std::optional<ChunkList> answer;
    };
    std::map<std::uint64_t, File> files_;
    std::uint64_t expected_ = 0;
    std::vector<std::uint64_t> asked_;
    bool waits_ = false;
};

} // namespace thru

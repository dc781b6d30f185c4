#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "transfer/receiver_chunks.h"
#include "wire/control.h"

namespace thru {

/// The chunks of a sender's file.
struct ChunkList {
    /// The version of the file as of the last chunks.
    WireId validator{};
    std::vector<Extents::Run> runs;
    /// All have arrived, or there will be no more.
    bool ended = false;
    bool failed = false;
};

/// Chunks, and lists of chunks, that a folder needs from the sender. Folder's strand.
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
        files_.emplace(index, File{.most = most, .list = {}, .answers = {}});
        wanted_.lists.push_back(index);
        return true;
    }
    void list_blocks(const ListBlocks &list) { wanted_.blocks.push_back(list); }
    void fetch(const Fetch &fetch) { wanted_.fetches.push_back(fetch); }
    /// All since the last call.
    WantedChunks take_wanted() { return std::exchange(wanted_, {}); }
    /// Adds the next chunks of a file; no chunks if the sender can't list it.
    void give(const Chunks &chunks, bool last) {
        const auto found = files_.find(chunks.index);
        if (found == files_.end()) {
            return;
        }
        ChunkList &list = found->second.list;
        list.validator = chunks.validator;
        list.runs.insert(list.runs.end(), chunks.runs.begin(), chunks.runs.end());
        list.ended = last;
        list.failed = chunks.runs.empty();
    }
    /// Adds the blocks of the oldest ListBlocks, or the next bytes of the oldest Fetch.
    void give(const RangeAnswer &answer) {
        const auto index = std::visit([](const auto &any) { return any.index; }, answer);
        if (const auto found = files_.find(index); found != files_.end()) {
            found->second.answers.push_back(answer);
        }
    }
    /// The answers for a file since the last call.
    std::vector<RangeAnswer> take_answers(std::uint64_t index) {
        return std::exchange(files_.at(index).answers, {});
    }
    /// The part of a list that has arrived. Valid until the list is dropped.
    const ChunkList &list(std::uint64_t index) const { return files_.at(index).list; }
    /// Later work needs more of a list, or no longer does.
    void set_waits(bool waits) { waits_ = waits; }
    /// The list is no longer needed.
    void drop(std::uint64_t index) {
        if (const auto found = files_.find(index); found != files_.end()) {
            expected_ -= found->second.most;
            files_.erase(found);
        }
    }
    /// The next step needs answers that have not arrived.
    bool waits() const { return waits_; }

private:
    struct File {
        std::uint64_t most = 0;
        ChunkList list;
        std::vector<RangeAnswer> answers;
    };
    std::map<std::uint64_t, File> files_;
    std::uint64_t expected_ = 0;
    WantedChunks wanted_;
    bool waits_ = false;
};

} // namespace thru

#include "transfer/receiver_chunks.h"

#include <utility>

#include "base/content_chunks.h"
#include "transfer/protocol_error.h"
#include "transfer/receiver.h"

namespace thru {

Result<ReceiverChunks::Answer> ReceiverChunks::take(const Chunks &part) {
    const auto found = waiting_.find(part.index);
    if (found == waiting_.end() || part.offset != found->second.end) {
        return protocol_error("CHUNKS without a LIST_CHUNKS, or out of their order");
    }
    Waiting &file = found->second;
    const auto lengths = ChunkLengths::of(file.size);
    for (const Extents::Run &run : part.runs) {
        const std::uint64_t left = file.size - file.end;
        if (run.length > left || run.length > lengths->max() ||
            (run.length < left && run.length < lengths->min())) {
            return protocol_error("CHUNKS of wrong lengths");
        }
        file.end += run.length;
    }
    const bool last = part.runs.empty() || file.end == file.size;
    if (last) {
        waiting_.erase(found);
    }
    return Answer{.chunks = part, .last = last};
}

Result<> ReceiverChunks::take(const FileBlocks &blocks) {
    if (listing_.empty() || listing_.front().index != blocks.index ||
        listing_.front().range.offset != blocks.offset) {
        return protocol_error("BLOCKS without a LIST_BLOCKS, or out of their order");
    }
    const std::uint64_t count =
        (listing_.front().range.length + kFileBlockBytes - 1) / kFileBlockBytes;
    if (!blocks.hashes.empty() && blocks.hashes.size() != count) {
        return protocol_error("BLOCKS of another number");
    }
    listing_.pop_front();
    return {};
}

Result<> ReceiverChunks::take(const Fetched &part) {
    if (fetching_.empty() || fetching_.front().index != part.index ||
        fetching_.front().range.offset != part.offset ||
        fetching_.front().range.length < part.bytes.size()) {
        return protocol_error("FETCHED without a FETCH, or out of their order");
    }
    ByteRange &left = fetching_.front().range;
    left.offset += part.bytes.size();
    left.length -= part.bytes.size();
    if (part.bytes.empty() || left.length == 0) {
        fetching_.pop_front();
    }
    return {};
}

void Receiver::ask_for_chunks(const WantedChunks &wanted) {
    for (const std::uint64_t index : wanted.lists) {
        chunks_.expect(index, entries_.manifest().file_size(index));
        out_.messages.emplace_back(ListChunks{index});
    }
    for (const ListBlocks &list : wanted.blocks) {
        chunks_.expect(list);
        out_.messages.emplace_back(list);
    }
    for (const Fetch &fetch : wanted.fetches) {
        chunks_.expect(fetch);
        out_.messages.emplace_back(fetch);
    }
}

Result<> Receiver::on(const Chunks &part) {
    auto answer = chunks_.take(part);
    if (!answer) {
        return std::unexpected(answer.error());
    }
    out_.events.emplace_back(std::move(*answer));
    return {};
}

Result<> Receiver::on(const FileBlocks &blocks) {
    auto taken = chunks_.take(blocks);
    return taken ? report(RangeAnswer(blocks)) : taken;
}

Result<> Receiver::on(const Fetched &part) {
    auto taken = chunks_.take(part);
    return taken ? report(RangeAnswer(part)) : taken;
}

} // namespace thru

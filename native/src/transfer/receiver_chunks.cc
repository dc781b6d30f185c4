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

Result<> Receiver::on(const Chunks &part) {
    auto answer = chunks_.take(part);
    if (!answer) {
        return std::unexpected(answer.error());
    }
    out_.events.emplace_back(std::move(*answer));
    return {};
}

} // namespace thru

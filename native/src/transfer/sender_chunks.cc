// The chunks of a sender's files.
#include <algorithm>

#include "base/content_chunks.h"
#include "transfer/protocol_error.h"
#include "transfer/sender.h"

namespace thru {

/// A receiver can make this side read each file once.
Result<> Sender::on(const ListChunks &list) {
    if (!options_.lists_chunks || !offered() || !is_file(list.index) ||
        list.index < std::max(unlisted_, planner_.requested()) ||
        !ChunkLengths::of(manifest_->file_size(list.index))) {
        return protocol_error("LIST_CHUNKS for an entry that can't be listed, or not in order");
    }
    unlisted_ = list.index + 1;
    return report(list);
}

/// No byte is fetched twice.
Result<> Sender::on(const Fetch &fetch) {
    if (fetch.index >= unlisted_ || !is_file(fetch.index) ||
        fetch.index < std::max(unfetched_.first, planner_.requested())) {
        return protocol_error("FETCH for a file without a list, or not in order");
    }
    const std::uint64_t size = manifest_->file_size(fetch.index);
    const auto lengths = ChunkLengths::of(size);
    const std::uint64_t begin = fetch.index == unfetched_.first ? unfetched_.second : 0;
    if (!lengths || fetch.range.offset < begin || fetch.range.end() > size ||
        (fetch.range.length < lengths->min() && fetch.range.end() < size)) {
        return protocol_error("FETCH of bytes that are no chunks, or not in order");
    }
    unfetched_ = {fetch.index, fetch.range.end()};
    if (!planner_.to_be_sent(fetch.index)) {
        messages_.emplace_back(Fetched{.index = fetch.index, .offset = fetch.range.offset});
        return {};
    }
    return report(fetch);
}

} // namespace thru

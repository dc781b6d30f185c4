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

/// A range may begin before the end of the one before: two edits can share a block, and a second
/// pass lists what was found nowhere. The bytes between count as requested again.
Result<> Sender::take_range(NextBlock &next, std::uint64_t index, const ByteRange &range) {
    if (index >= unlisted_ || !is_file(index) ||
        index < std::max(next.index, planner_.requested())) {
        return protocol_error("a range of a file without a list, or not in order");
    }
    const std::uint64_t size = manifest_->file_size(index);
    const std::uint64_t begin = index == next.index ? next.offset : 0;
    const bool listable =
        ChunkLengths::of(size) && !manifest_->text(index) && !manifest_->stream(index);
    if (!listable || range.end() > size ||
        (range.length % kFileBlockBytes != 0 && range.end() < size)) {
        return protocol_error("a range that is not made of blocks, or of an entry without any");
    }
    next = {.index = index, .offset = range.end()};
    return range.offset < begin ? spend(begin - range.offset) : Result<>{};
}

Result<> Sender::on(const ListBlocks &list) {
    auto taken = take_range(next_listed_, list.index, list.range);
    return taken ? report(list) : taken;
}

Result<> Sender::on(const Fetch &fetch) {
    auto taken = take_range(next_fetched_, fetch.index, fetch.range);
    return taken ? report(fetch) : taken;
}

} // namespace thru

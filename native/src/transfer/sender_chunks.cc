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

} // namespace thru

// All steps of a preparation in one call.
#pragma once

#include <functional>

#include "target/receive_folder.h"

namespace thru::test {

/// Lists the chunks of a file, as the sender would.
using ListChunksOf = std::function<std::optional<ChunkList>(std::uint64_t index)>;

inline Result<Prepared> prepare(ReceiveFolder &folder, std::size_t first, std::size_t end,
                                const IndexRanges &unwanted, const ListChunksOf &list = {}) {
    folder.begin_preparation(first, end, unwanted);
    for (;;) {
        auto prepared = folder.prepare_some();
        if (!prepared) {
            return std::unexpected(std::move(prepared).error());
        }
        if (*prepared) {
            return std::move(**prepared);
        }
        for (const std::uint64_t index : folder.take_wanted_chunks()) {
            folder.give_chunks(index, list(index));
        }
    }
}

} // namespace thru::test

// All steps of a preparation in one call.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>

#include "crypto/digest.h"
#include "target/receive_folder.h"
#include "wire/segment.h"

namespace thru::test {

/// Lists the chunks of a file, as the sender would: the last part is followed by none.
using ListChunksOf = std::function<std::vector<Chunks>(std::uint64_t index)>;
/// The bytes of a range in the sender's file, for its blocks too; none if it can't be read.
using FetchOf = std::function<std::string(const Fetch &fetch)>;

inline Result<Prepared> prepare(ReceiveFolder &folder, std::size_t first, std::size_t end,
                                const IndexRanges &unwanted, const ListChunksOf &list = {},
                                const FetchOf &fetch = {}, std::uint64_t *fetched = nullptr) {
    folder.begin_preparation(first, end, unwanted);
    std::map<std::uint64_t, std::deque<Chunks>> lists;
    for (;;) {
        auto prepared = folder.prepare_some();
        if (!prepared) {
            return std::unexpected(std::move(prepared).error());
        }
        if (*prepared) {
            return std::move(**prepared);
        }
        const WantedChunks wanted = folder.take_wanted_chunks();
        for (const std::uint64_t index : wanted.lists) {
            const auto parts = list(index);
            lists[index].assign(parts.begin(), parts.end());
        }
        for (const ListBlocks &next : wanted.blocks) {
            const std::string bytes = fetch({next.index, next.range});
            FileBlocks blocks{.index = next.index, .offset = next.range.offset, .hashes = {}};
            for (ByteView left = as_bytes(bytes); !left.empty();) {
                const ByteView block =
                    left.first(std::min<std::size_t>(left.size(), kFileBlockBytes));
                blocks.hashes.push_back(shortened(blake3_of(block)));
                left = left.subspan(block.size());
            }
            folder.give_answer(blocks);
        }
        for (const Fetch &next : wanted.fetches) {
            const std::string bytes = fetch(next);
            const std::size_t half = bytes.size() / 2;
            if (fetched != nullptr) {
                *fetched += bytes.size();
            }
            if (half > 0) {
                folder.give_answer(Fetched{next.index, next.range.offset, bytes.substr(0, half)});
            }
            folder.give_answer(Fetched{next.index, next.range.offset + half, bytes.substr(half)});
        }
        // One part of each list at a time.
        for (auto &[index, parts] : lists) {
            if (!parts.empty()) {
                folder.give_chunks(parts.front(), parts.size() == 1);
                parts.pop_front();
            }
        }
    }
}

} // namespace thru::test

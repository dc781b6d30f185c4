// A segment header that is all there, read at once.
#pragma once

#include <optional>

#include "wire/segment.h"

namespace thru {

struct ParsedSegmentHeader {
    SegmentPlan plan;
    /// Bytes that type byte and header took.
    std::size_t consumed = 0;
};

/// From the beginning of a stream in one piece: nullopt when more bytes are needed.
inline Result<std::optional<ParsedSegmentHeader>> parse_segment_header(ByteView bytes) {
    SegmentHeaderDecoder decoder;
    const auto taken = decoder.feed(bytes);
    if (!taken) {
        return std::unexpected(taken.error());
    }
    if (!decoder.done()) {
        return std::nullopt;
    }
    return ParsedSegmentHeader{.plan = decoder.plan(), .consumed = *taken};
}

} // namespace thru

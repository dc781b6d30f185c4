// Parses a complete segment header in one call.
#pragma once

#include <optional>

#include "wire/segment.h"

namespace thru {

struct ParsedSegmentHeader {
    SegmentPlan plan;
    /// Size of type byte and header.
    std::size_t consumed = 0;
};

/// Parses the beginning of a stream in one piece; nullopt if more bytes are needed.
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

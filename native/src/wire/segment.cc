#include "wire/segment.h"

#include <utility>

#include "wire/varint.h"

namespace thru {

namespace {

/// Shortest piece: three varints of one byte.
constexpr std::size_t kMinPieceBytes = 3;

} // namespace

std::uint64_t plan_bytes(const SegmentPlan &plan) {
    std::uint64_t bytes = 0;
    for (const auto &piece : plan) {
        bytes += piece.length;
    }
    return bytes;
}

void encode_segment_header(const SegmentPlan &plan, Bytes &out) {
    out.push_back(static_cast<std::uint8_t>(StreamType::Segment));
    append_varint(out, plan.size());
    std::uint64_t previous = 0;
    for (const auto &piece : plan) {
        append_varint(out, piece.index - previous);
        append_varint(out, piece.offset);
        append_varint(out, piece.length);
        previous = piece.index;
    }
}

Result<std::optional<ParsedSegmentHeader>> parse_segment_header(ByteView bytes) {
    // What is incomplete has to fit into the largest header, so nobody keeps more than that.
    const auto incomplete = [&]() -> Result<std::optional<ParsedSegmentHeader>> {
        if (bytes.size() >= kMaxSegmentHeaderBytes) {
            return fail(ErrorCode::PeerProtocol, 0, "segment header too long");
        }
        return std::nullopt;
    };

    ByteReader reader{bytes};
    const auto type = reader.byte();
    if (type && *type != static_cast<std::uint8_t>(StreamType::Segment)) {
        return fail(ErrorCode::PeerProtocol, *type, "not a segment");
    }
    const auto count = take_varint(reader);
    if (!type || !count) {
        return incomplete();
    }
    if (*count == 0 || *count > kMaxPieces) {
        return fail(ErrorCode::PeerProtocol, 0, "a segment has 1 to 4096 pieces");
    }
    // Spares reading the same pieces again for every packet of a header that is still arriving.
    if (reader.left() < *count * kMinPieceBytes) {
        return incomplete();
    }

    ParsedSegmentHeader header;
    header.plan.reserve(static_cast<std::size_t>(*count));
    std::uint64_t index = 0;
    std::uint64_t total = 0;
    while (header.plan.size() < *count) {
        const auto step = take_varint(reader);
        const auto offset = step ? take_varint(reader) : std::nullopt;
        const auto length = offset ? take_varint(reader) : std::nullopt;
        if (!length) {
            return incomplete();
        }
        const bool first = header.plan.empty();
        if ((!first && *step == 0) || *step > kMaxVarint - index) {
            return fail(ErrorCode::PeerProtocol, 0, "segment's indexes don't rise");
        }
        index += *step;
        if (*length > kSegmentBytes - total || *length > kMaxVarint - *offset) {
            return fail(ErrorCode::PeerProtocol, 0, "segment's pieces are too long");
        }
        total += *length;
        header.plan.push_back({.index = index, .offset = *offset, .length = *length});
    }
    header.consumed = reader.consumed();
    if (header.consumed > kMaxSegmentHeaderBytes) {
        return fail(ErrorCode::PeerProtocol, 0, "segment header too long");
    }
    return header;
}

} // namespace thru

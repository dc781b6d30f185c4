#include "wire/segment.h"

#include <algorithm>
#include <utility>

#include "wire/varint.h"

namespace thru {

ShortHash shortened(const Hash &hash) {
    ShortHash cut{};
    std::copy_n(hash.begin(), cut.size(), cut.begin());
    return cut;
}

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

Result<std::size_t> SegmentHeaderDecoder::feed(ByteView bytes) {
    const auto before = bytes_.size();
    const auto taken = bytes.first(std::min(bytes.size(), kMaxSegmentHeaderBytes - before));
    if (const auto needed = before + taken.size(); needed > bytes_.capacity()) {
        bytes_.reserve(std::clamp(2 * bytes_.capacity(), needed, kMaxSegmentHeaderBytes));
    }
    append_bytes(bytes_, taken);
    if (auto read = read_on(); !read) {
        return std::unexpected(std::move(read).error());
    }
    if (!done_) {
        // No more than the largest header is kept.
        return bytes_.size() < kMaxSegmentHeaderBytes
                   ? Result<std::size_t>(bytes.size())
                   : fail(ErrorCode::PeerProtocol, 0, "segment header too long");
    }
    bytes_.resize(read_);
    return read_ - before;
}

Result<> SegmentHeaderDecoder::read_count() {
    ByteReader reader{bytes_};
    const auto type = reader.byte();
    const auto is = [type](StreamType which) { return type == static_cast<std::uint8_t>(which); };
    if (type && !is(StreamType::Segment) &&
        !(compressed_too_ && is(StreamType::CompressedSegment))) {
        return fail(ErrorCode::PeerProtocol, *type, "not a segment");
    }
    const auto count = take_varint(reader);
    if (!type || !count) {
        return {};
    }
    if (*count == 0 || *count > kMaxPieces) {
        return fail(ErrorCode::PeerProtocol, 0, "a segment has 1 to 4096 pieces");
    }
    count_ = *count;
    read_ = reader.consumed();
    compressed_ = is(StreamType::CompressedSegment);
    bytes_.front() = static_cast<std::uint8_t>(StreamType::Segment);
    return {};
}

Result<> SegmentHeaderDecoder::read_on() {
    if (count_ == 0) {
        if (auto read = read_count(); !read || count_ == 0) {
            return read;
        }
    }
    while (pieces_ < count_) {
        ByteReader reader{ByteView{bytes_}.subspan(read_)};
        const auto step = take_varint(reader);
        const auto offset = step ? take_varint(reader) : std::nullopt;
        const auto length = offset ? take_varint(reader) : std::nullopt;
        if (!length) {
            return {};
        }
        if ((pieces_ > 0 && *step == 0) || *step > kMaxVarint - last_index_) {
            return fail(ErrorCode::PeerProtocol, 0, "segment's indexes don't rise");
        }
        if (*length > kSegmentBytes - total_ || *length > kMaxVarint - *offset) {
            return fail(ErrorCode::PeerProtocol, 0, "segment's pieces are too long");
        }
        total_ += *length;
        last_index_ += *step;
        ++pieces_;
        read_ += reader.consumed();
    }
    done_ = true;
    return {};
}

SegmentPlan SegmentHeaderDecoder::plan() const {
    SegmentPlan plan;
    if (!done_) {
        return plan;
    }
    plan.reserve(count_);
    ByteReader reader{bytes_};
    const auto next = [&reader] { return take_varint(reader).value(); };
    static_cast<void>(reader.byte());
    static_cast<void>(next());
    for (std::uint64_t index = 0; plan.size() < count_;) {
        index += next();
        const auto offset = next();
        plan.push_back({.index = index, .offset = offset, .length = next()});
    }
    return plan;
}

} // namespace thru

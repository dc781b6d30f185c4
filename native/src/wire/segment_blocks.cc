#include "wire/segment_blocks.h"

#include <algorithm>
#include <utility>

#include "base/byte_reader.h"
#include "wire/varint.h"

namespace thru {

std::size_t SegmentBlockDecoder::plain() const {
    const auto multiple = (position_ / kBlockBytes + 1) * kBlockBytes;
    return static_cast<std::size_t>(std::min(multiple, end_) - position_);
}

Result<std::size_t> SegmentBlockDecoder::feed(ByteView bytes) {
    if (whole() && !bytes.empty()) {
        return fail(ErrorCode::PeerProtocol, 0, "bytes after the end of a segment");
    }
    std::size_t taken = 0;
    while (!length_ && taken < bytes.size()) {
        bytes_.push_back(bytes[taken++]);
        ByteReader reader{bytes_};
        length_ = take_varint(reader);
        if (length_ && (*length_ == 0 || *length_ > plain())) {
            return fail(ErrorCode::PeerProtocol, 0, "a block is longer than its data");
        }
        if (length_) {
            before_ = bytes_.size();
            bytes_.clear();
        }
    }
    if (length_) {
        const auto rest = static_cast<std::size_t>(*length_) - bytes_.size();
        const auto part = bytes.subspan(taken, std::min(rest, bytes.size() - taken));
        if (bytes_.size() + part.size() >= *length_ / 8) {
            bytes_.reserve(static_cast<std::size_t>(*length_));
        }
        append_bytes(bytes_, part);
        taken += part.size();
    }
    return taken;
}

SegmentBlock SegmentBlockDecoder::take() {
    SegmentBlock block{.bytes = {}, .plain = plain(), .in_stream = held()};
    block.bytes = std::exchange(bytes_, {});
    position_ += block.plain;
    length_.reset();
    before_ = 0;
    return block;
}

} // namespace thru

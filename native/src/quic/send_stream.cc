#include "quic/send_stream.h"

#include <algorithm>

namespace thru {

void SendStream::push(Chunk chunk, bool fin) {
    if (chunk.size > 0) {
        unsent_ += chunk.size;
        chunks_.push_back(std::move(chunk));
    }
    fin_ = fin_ || fin;
}

std::size_t SendStream::next(std::span<ByteView> slots) const {
    std::size_t filled = 0;
    for (auto index = cursor_chunk_; index < chunks_.size() && filled < slots.size(); ++index) {
        const auto skip = index == cursor_chunk_ ? cursor_offset_ : 0;
        slots[filled++] = chunks_[index].view().subspan(skip);
    }
    return filled;
}

bool SendStream::ends_within(std::size_t slots) const {
    return fin_ && chunks_.size() - cursor_chunk_ <= slots;
}

void SendStream::advance(std::uint64_t bytes) {
    unsent_ -= bytes;
    sent_ += bytes;
    while (bytes > 0) {
        const auto left = chunks_[cursor_chunk_].size - cursor_offset_;
        const auto step = std::min<std::uint64_t>(left, bytes);
        bytes -= step;
        cursor_offset_ += step;
        if (cursor_offset_ == chunks_[cursor_chunk_].size) {
            ++cursor_chunk_;
            cursor_offset_ = 0;
        }
    }
}

std::uint64_t SendStream::acknowledge(std::uint64_t offset) {
    const auto freed = offset - acknowledged_;
    acknowledged_ = offset;
    while (!chunks_.empty() && front_offset_ + chunks_.front().size <= offset) {
        front_offset_ += chunks_.front().size;
        chunks_.pop_front();
        --cursor_chunk_;
    }
    return freed;
}

} // namespace thru

#include "quic/send_streams.h"

#include <algorithm>
#include <utility>

namespace thru {

SendStream *SendStreams::find(std::int64_t id) const {
    const auto found = streams_.find(id);
    return found == streams_.end() ? nullptr : found->second.get();
}

void SendStreams::add(std::int64_t id, bool limited) {
    streams_[id] = std::make_unique<SendStream>(id, limited);
}

void SendStreams::push(std::int64_t id, Chunk chunk, bool fin) {
    auto &slot = streams_[id];
    if (!slot) {
        slot = std::make_unique<SendStream>(id, false);
    }
    buffered_ += chunk.size;
    unsent_ += chunk.size;
    slot->push(std::move(chunk), fin);
    if (std::ranges::find(sending_, slot.get()) == sending_.end()) {
        // Older streams first: the control stream is the oldest, and few of its bytes wait.
        const auto place = std::ranges::upper_bound(sending_, id, {}, &SendStream::id);
        sending_.insert(place, slot.get());
    }
}

void SendStreams::drop(std::int64_t id) {
    if (auto *stream = find(id); stream != nullptr) {
        buffered_ -= stream->buffered();
        unsent_ -= stream->unsent();
        std::erase(sending_, stream);
        streams_.erase(id);
    }
}

void SendStreams::acknowledge(std::int64_t id, std::uint64_t offset, Timestamp now) {
    if (auto *stream = find(id); stream != nullptr) {
        buffered_ -= stream->acknowledge(offset);
        last_acknowledged_ = now;
    }
}

bool SendStreams::begin_flush() {
    was_under_way_ = under_way();
    bool wanted = false;
    for (auto *stream : sending_) {
        stream->blocked = false;
        wanted = wanted || stream->limited();
    }
    return wanted;
}

void SendStreams::advance(SendStream &stream, std::uint64_t bytes) {
    stream.advance(bytes);
    unsent_ -= bytes;
}

void SendStreams::end_flush(Timestamp now) {
    if (!was_under_way_ && under_way()) {
        last_acknowledged_ = now;
    }
    std::erase_if(sending_, [](const SendStream *stream) { return !stream->sendable(); });
}

std::uint64_t SendStreams::buffered(std::int64_t id) const {
    const auto *stream = find(id);
    return stream == nullptr ? 0 : stream->buffered();
}

std::uint64_t SendStreams::unsent(std::int64_t id) const {
    const auto *stream = find(id);
    return stream == nullptr ? 0 : stream->unsent();
}

} // namespace thru

#include "web/web_transfer.h"

#include <algorithm>

namespace thru {

void WebTransfer::on_signal(std::string_view payload, Timestamp now) {
    now_ = now;
    link_->on_signal(payload, now);
}

void WebTransfer::on_stream_ready(Timestamp now) {
    now_ = now;
    link_->on_stream_ready(now);
}

void WebTransfer::on_bytes(ByteView bytes, Timestamp now, bool second) {
    now_ = now;
    link_->on_bytes(bytes, now, second);
}

void WebTransfer::on_stream_over(Timestamp now) {
    now_ = now;
    link_->on_stream_over();
}

void WebTransfer::on_connected() {
    // The transfer has not had a turn yet.
    woken_ = true;
    page_.on_connected(link_->keys().resume);
}

void WebTransfer::on_stream_data(StreamId stream, ByteView bytes, bool fin) {
    if (failure_) {
        return;
    }
    if (auto taken = take(stream, bytes, fin); !taken) {
        fail_with(taken.error());
    }
}

void WebTransfer::on_stream_reset(StreamId stream) {
    if (auto taken = take_reset(stream); !taken) {
        fail_with(taken.error());
    }
}

void WebTransfer::end(const Error &error, Timestamp now) {
    now_ = now;
    fail_with(error);
}

void WebTransfer::consume(StreamId stream, std::uint64_t bytes) {
    link_->connection().consume_stream(stream, bytes);
    link_->connection().consume_connection(bytes);
}

void WebTransfer::service(Timestamp now) {
    now_ = now;
    if (over_) {
        link_->service(now);
        return;
    }
    if (link_->connected() && !failure_) {
        woken_ = false;
        pump(now);
    }
    if (failure_ || goodbye_by_ <= now) {
        link_->close(failure_, now);
    }
    link_->service(now);
    if (const auto &closed = link_->closed()) {
        over_ = true;
        if (whole()) {
            page_.on_over(std::nullopt);
        } else {
            page_.on_over(failure_ ? *failure_
                                   : closed->error.value_or(Error{ErrorCode::PeerGone, 0,
                                                                  "the other side closed early"}));
        }
    }
}

Timestamp WebTransfer::deadline() const {
    if (over_) {
        return kNever;
    }
    return woken_ ? 0 : std::min({link_->deadline(), next_pump(), goodbye_by_});
}

} // namespace thru

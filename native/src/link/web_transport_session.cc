#include "link/web_transport_session.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/byte_reader.h"

namespace thru {

namespace {

/// The browser's request for a session (extended CONNECT), and its stream in that session.
constexpr StreamId kRequestStream = 0;
constexpr StreamId kDataStream = 4;
/// The type of a WebTransport stream, and the session's id: that of the request's stream.
constexpr std::array<std::uint8_t, 3> kStreamType{0x40, 0x41, 0x00};
/// Bytes of the stream that may wait to be sent; data waits behind them in the inner connection.
constexpr std::uint64_t kMaxSessionUnsent = 128 * 1024;
/// Credit for a proven browser, which may send files: it carries 1 Gbit/s at a round trip of 64 ms.
/// Others keep the small initial window.
constexpr std::uint64_t kProvenWindow = 8ULL << 20;
constexpr std::uint8_t kUnidirectional = 2;

/// HTTP/3's control stream: its type and SETTINGS with the extended CONNECT protocol (RFC 9220),
/// datagrams (RFC 9297), and WebTransport as drafts 2 and 7 announce it, with one session. Without
/// a setting for QPACK, the browser's headers refer to nothing.
constexpr std::array<std::uint8_t, 21> kSessionControl{0x00, 0x04, 0x12, 0x08, 0x01, 0x33, 0x01,
                                                       0xab, 0x60, 0x37, 0x42, 0x01, 0xc0, 0x00,
                                                       0x00, 0x00, 0xc6, 0x71, 0x70, 0x6a, 0x01};

/// HEADERS with `:status: 200` and `sec-webtransport-http3-draft: draft02` (QPACK, RFC 9204).
Bytes session_answer() {
    Bytes headers{0x00, 0x00, 0xd9, 0x27, 0x15};
    append_bytes(headers, as_bytes("sec-webtransport-http3-draft"));
    headers.push_back(0x07);
    append_bytes(headers, as_bytes("draft02"));
    Bytes frame{0x01, static_cast<std::uint8_t>(headers.size())};
    append_bytes(frame, headers);
    return frame;
}

} // namespace

WebTransportSession::WebTransportSession(SslCtxPtr context, const ConnectionSettings &settings,
                                         const Digest &token, Owner &owner)
    : owner_(owner), token_(token),
      connection_(Connection::server(std::move(context), settings, *this)) {}

void WebTransportSession::on_datagrams(ByteView bytes, std::size_t segment_bytes,
                                       const PathId &from, Timestamp now) {
    connection_->on_datagrams(bytes, segment_bytes, now, from);
}

FlushOutcome WebTransportSession::service(DatagramPath &path, Timestamp now) {
    connection_->on_deadline(now);
    return connection_->flush(path, now);
}

void WebTransportSession::close(DatagramPath &path, Timestamp now) {
    connection_->close(std::nullopt, path, now);
}

void WebTransportSession::write(ByteView bytes) { connection_->write(kDataStream, bytes, false); }

bool WebTransportSession::full() const {
    return connection_->unsent_bytes(kDataStream) >= kMaxSessionUnsent;
}

void WebTransportSession::on_established() {
    if (const auto stream = connection_->open_unidirectional(StreamUse::Messages)) {
        connection_->write(*stream, kSessionControl, false);
    } else {
        over_ = true;
    }
}

/// The browser's headers and settings change nothing: the token alone proves it.
void WebTransportSession::on_stream_data(StreamId stream, ByteView bytes, bool fin) {
    connection_->consume_connection(bytes.size());
    connection_->consume_stream(stream, bytes.size());
    if ((stream & kUnidirectional) != 0 || over_) {
        return;
    }
    if (stream == kRequestStream && !bytes.empty() && !std::exchange(answered_, true)) {
        connection_->write(kRequestStream, session_answer(), false);
    } else if (stream == kDataStream && proven_) {
        owner_.on_stream_bytes(bytes);
    } else if (stream == kDataStream) {
        check(bytes);
    }
    over_ = over_ || fin;
}

void WebTransportSession::on_stream_reset(StreamId stream) {
    over_ = over_ || (stream & kUnidirectional) == 0;
}

void WebTransportSession::check(ByteView bytes) {
    const auto wanted = kStreamType.size() + token_.size();
    const auto taken = std::min(bytes.size(), wanted - head_.size());
    append_bytes(head_, bytes.first(taken));
    if (head_.size() < wanted) {
        return;
    }
    Digest shown{};
    std::ranges::copy(ByteView{head_}.last(shown.size()), shown.begin());
    if (!std::ranges::equal(ByteView{head_}.first(kStreamType.size()), kStreamType) ||
        !digests_equal(shown, token_)) {
        over_ = true;
        return;
    }
    proven_ = true;
    connection_->consume_connection(kProvenWindow);
    connection_->consume_stream(kDataStream, kProvenWindow);
    // An empty datagram tells the browser that this side is ready.
    write(std::array<std::uint8_t, 2>{});
    owner_.on_proven(*this);
    if (taken < bytes.size()) {
        owner_.on_stream_bytes(bytes.subspan(taken));
    }
}

} // namespace thru

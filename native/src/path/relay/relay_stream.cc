#include "path/relay/relay_stream.h"

#include <algorithm>
#include <utility>

#include "base/byte_reader.h"

namespace thru {

namespace {

/// Maximum number of TLS bytes per read.
constexpr std::size_t kCiphertextBytes = 64 * 1024;

} // namespace

RelayStream::RelayStream(EventLoop &loop, const TurnServer &server, std::function<void()> on_ready)
    : loop_(loop), server_(server), on_ready_(std::move(on_ready)), buffer_(kCiphertextBytes) {
    const auto &proxy = server_.proxy;
    socket_ = proxy ? TcpSocket::connect(proxy->host, proxy->port)
                    : TcpSocket::connect(server_.host, server_.port);
    if (!socket_) {
        end(Error{ErrorCode::NoRoute, 0, server_.name + ": no way leads there"});
        return;
    }
    loop_.watch(socket_->descriptor(), [this] { ready(); });
    loop_.want_write(socket_->descriptor(), true);
}

RelayStream::~RelayStream() { end(std::nullopt); }

void RelayStream::end(std::optional<Error> why) {
    if (stage_ == Stage::Over) {
        return;
    }
    stage_ = Stage::Over;
    failure_ = std::move(why);
    if (socket_) {
        loop_.unwatch(socket_->descriptor());
        socket_.reset();
    }
}

void RelayStream::ready() {
    switch (stage_) {
    case Stage::Connecting:
        on_connected();
        break;
    case Stage::Proxy:
        read_proxy();
        break;
    case Stage::Tls:
        read_tls();
        break;
    case Stage::Open:
    case Stage::Over:
        break;
    }
    if (stage_ != Stage::Over) {
        send();
    }
    if (stage_ == Stage::Open || stage_ == Stage::Over) {
        on_ready_();
    }
}

void RelayStream::on_connected() {
    const auto progress = socket_->progress();
    if (progress == TcpSocket::Progress::Pending) {
        return;
    }
    if (progress == TcpSocket::Progress::Failed) {
        end(Error{ErrorCode::NoRoute, 0,
                  (server_.proxy ? server_.proxy->host : server_.name) + ": no connection"});
    } else if (server_.proxy) {
        stage_ = Stage::Proxy;
        proxy_.emplace(*server_.proxy, server_.host, server_.port);
        append_bytes(out_.end(), proxy_->take_output());
    } else {
        begin_tls();
    }
}

void RelayStream::read_proxy() {
    const auto got = socket_->read(buffer_);
    if (!got) {
        end(Error{ErrorCode::ProxyRefused, 0, server_.proxy->host + ": it ended the connection"});
        return;
    }
    const auto next = proxy_->receive(ByteView{buffer_}.first(*got));
    append_bytes(out_.end(), proxy_->take_output());
    if (next == ProxyHandshake::Next::Refused) {
        end(Error{ErrorCode::ProxyRefused, 0, server_.proxy->host + ": " + proxy_->reason()});
    } else if (next == ProxyHandshake::Next::Done) {
        left_over_.assign(proxy_->left_over().begin(), proxy_->left_over().end());
        proxy_.reset();
        begin_tls();
    }
}

void RelayStream::begin_tls() {
    if (!server_.tls) {
        become_open();
        return;
    }
    auto made = TlsClient::create(server_.name, system_authorities());
    if (!made) {
        end(made.error());
        return;
    }
    stage_ = Stage::Tls;
    tls_.emplace(std::move(*made));
    tls_->receive(std::exchange(left_over_, {}));
    tls_->take_output(out_.end());
}

void RelayStream::read_tls() {
    const auto got = socket_->read(buffer_);
    if (!got) {
        end(Error{ErrorCode::PeerProtocol, 0, server_.name + ": it ended the connection"});
        return;
    }
    tls_->receive(ByteView{buffer_}.first(*got));
    tls_->take_output(out_.end());
    if (const auto &failure = tls_->failure()) {
        // The alert sends the server the reason.
        send();
        end(failure);
    } else if (tls_->open()) {
        become_open();
    }
}

void RelayStream::become_open() {
    stage_ = Stage::Open;
    write(std::exchange(early_bytes_, {}));
}

bool RelayStream::full() const { return stage_ != Stage::Open || !out_.empty(); }

void RelayStream::write(ByteView bytes) {
    if (stage_ == Stage::Over || bytes.empty()) {
        return;
    }
    if (stage_ != Stage::Open) {
        append_bytes(early_bytes_, bytes);
        return;
    }
    if (tls_) {
        tls_->write(bytes);
        tls_->take_output(out_.end());
    } else if (out_.empty()) {
        // Nothing waits, so accepted bytes need no copy.
        const auto taken = socket_->write(bytes);
        append_bytes(out_.end(), bytes.subspan(taken.value_or(0)));
    } else {
        append_bytes(out_.end(), bytes);
    }
    send();
}

void RelayStream::send() {
    out_.write_to(*socket_);
    loop_.want_write(socket_->descriptor(), stage_ == Stage::Connecting || !out_.empty());
}

std::size_t RelayStream::read(MutableByteView into) {
    if (stage_ != Stage::Open) {
        return 0;
    }
    if (!left_over_.empty() && !tls_) {
        const auto count = std::min(left_over_.size(), into.size());
        std::ranges::copy(ByteView{left_over_}.first(count), into.begin());
        left_over_.erase(left_over_.begin(),
                         left_over_.begin() + static_cast<std::ptrdiff_t>(count));
        return count;
    }
    // Returns all decrypted data, because the socket does not become readable again for it.
    std::size_t filled = 0;
    while (tls_) {
        const auto data = tls_->read(into.subspan(filled));
        filled += data;
        if (data > 0 && filled < into.size()) {
            continue;
        }
        if (filled > 0) {
            return filled;
        }
        if (const auto &failure = tls_->failure()) {
            end(failure);
            return 0;
        }
        const auto got = socket_->read(buffer_);
        if (!got || *got == 0) {
            if (!got) {
                end(std::nullopt);
            }
            return 0;
        }
        tls_->receive(ByteView{buffer_}.first(*got));
    }
    const auto got = socket_->read(into);
    if (!got) {
        end(std::nullopt);
    }
    return got.value_or(0);
}

} // namespace thru

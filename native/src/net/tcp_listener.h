#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "net/gio.h"
#include "net/tcp_socket.h"

namespace thru {

class TcpListener {
public:
    /// Listens at a free port of a literal address. Returns null if that fails.
    static std::unique_ptr<TcpListener> open(const std::string &host);
    ~TcpListener();
    TcpListener(const TcpListener &) = delete;
    TcpListener &operator=(const TcpListener &) = delete;

    std::uint16_t port() const;
    int descriptor() const;
    /// The next connection; null if none is waiting.
    std::unique_ptr<TcpSocket> accept();
    /// True once accepting fails for good; every further attempt would fail too.
    bool broken() const { return broken_; }

private:
    /// Takes the caller's reference.
    explicit TcpListener(GSocket *socket) : socket_(socket) {}
    GSocket *socket_;
    bool broken_ = false;
};

} // namespace thru

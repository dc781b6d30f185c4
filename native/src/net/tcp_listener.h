// A port of TCP at which others connect. Private to path/.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "net/gio.h"
#include "net/tcp_socket.h"

namespace thru {

class TcpListener {
public:
    /// At a free port of a literal address. Null when it can't be had.
    static std::unique_ptr<TcpListener> open(const std::string &host);
    ~TcpListener();
    TcpListener(const TcpListener &) = delete;
    TcpListener &operator=(const TcpListener &) = delete;

    std::uint16_t port() const;
    int descriptor() const;
    /// The next one that has connected; null: none now.
    std::unique_ptr<TcpSocket> accept();
    /// The system gives no more of them, and would say so all the time.
    bool broken() const { return broken_; }

private:
    /// Takes the caller's reference.
    explicit TcpListener(GSocket *socket) : socket_(socket) {}
    GSocket *socket_;
    bool broken_ = false;
};

} // namespace thru

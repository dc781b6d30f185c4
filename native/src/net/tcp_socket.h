// A TCP connection that never blocks, built on GLib for every platform.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/bytes.h"
#include "net/address.h"
#include "net/gio.h"

namespace thru {

class TcpSocket {
public:
    /// Begins to connect to a literal address. Returns null on an immediate failure.
    static std::unique_ptr<TcpSocket> connect(const std::string &host, std::uint16_t port);
    /// Takes the caller's reference.
    explicit TcpSocket(GSocket *socket);
    ~TcpSocket();
    TcpSocket(const TcpSocket &) = delete;
    TcpSocket &operator=(const TcpSocket &) = delete;

    int descriptor() const;
    /// The remote address once connected; otherwise empty.
    Address remote() const;
    Address local() const;

    enum class Progress : std::uint8_t { Pending, Connected, Failed };
    Progress progress();
    /// Returns the bytes accepted, 0 if none now, or nullopt for a broken connection.
    std::optional<std::size_t> write(ByteView bytes);
    /// The same for separate parts, as many as the system accepts in one call (IOV_MAX).
    std::optional<std::size_t> write(std::span<const ByteView> parts);
    /// Returns the bytes read, 0 if none are available, or nullopt if the connection is over.
    std::optional<std::size_t> read(MutableByteView into);

private:
    GSocket *socket_;
};

} // namespace thru

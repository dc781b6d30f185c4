// A TCP connection that never waits, on what GLib offers for every platform. Private to path/.
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
    /// Begins to connect to a literal address. Null when that fails at once.
    static std::unique_ptr<TcpSocket> connect(const std::string &host, std::uint16_t port);
    /// Takes the caller's reference.
    explicit TcpSocket(GSocket *socket);
    ~TcpSocket();
    TcpSocket(const TcpSocket &) = delete;
    TcpSocket &operator=(const TcpSocket &) = delete;

    int descriptor() const;
    /// Of a connected one; empty for others.
    Address remote() const;
    Address local() const;

    enum class Progress : std::uint8_t { Pending, Connected, Failed };
    /// How far connecting is.
    Progress progress();
    /// Bytes that the system took, 0: none now. Nothing: the connection is broken.
    std::optional<std::size_t> write(ByteView bytes);
    /// The same of parts that lie apart, as many as the system takes in a call (IOV_MAX).
    std::optional<std::size_t> write(std::span<const ByteView> parts);
    /// Bytes that were read, 0: none now. Nothing: the connection is over.
    std::optional<std::size_t> read(MutableByteView into);

private:
    GSocket *socket_;
};

} // namespace thru

// A UDP socket at a free port of one address, for any number of peers. Network thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "net/address.h"
#include "net/datagram_path.h"
#include "net/gio.h"
#include "net/udp_batch.h"

namespace thru {

class UdpSocket {
public:
    /// Returns null if the literal address can't be used.
    static std::unique_ptr<UdpSocket> open(const std::string &host, int buffer_bytes);

    std::uint16_t port() const;
    /// Empty if the system doesn't report it.
    Address local() const;
    int descriptor() const { return batch_.descriptor; }
    /// See DatagramPath::send.
    DatagramPath::Sent send(const Address &to, ByteView bytes, std::size_t segment) {
        return send_batch(batch_, bytes, segment, to.get(), to.size());
    }

private:
    using Pointer = std::unique_ptr<GSocket, ObjectDeleter>;
    explicit UdpSocket(Pointer socket);

    Pointer socket_;
    BatchSocket batch_;
};

/// `192.0.2.1:4433` or `[2001:db8::1]:4433`; `address` is not empty.
std::string text_of(const Address &address);

} // namespace thru

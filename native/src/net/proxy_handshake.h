// The handshake that opens a connection through a proxy: CONNECT of HTTP/1.1 (RFC 9110 section
// 9.3.6), or SOCKS 5 (RFC 1928, 1929). Bytes in, bytes out, without sockets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/bytes.h"

namespace thru {

/// The proxy for relays over TCP, at a literal address. Without `user`, no credentials are sent.
struct RelayProxy {
    enum class Kind : std::uint8_t { Http, Socks5 };
    Kind kind = Kind::Http;
    std::string host;
    std::uint16_t port = 0;
    std::string user;
    std::string password;
    bool operator==(const RelayProxy &) const = default;
};

class ProxyHandshake {
public:
    /// Requests a connection to a literal address, or to a name that the proxy resolves.
    ProxyHandshake(const RelayProxy &proxy, const std::string &host, std::uint16_t port);

    enum class Next : std::uint8_t { Wait, Done, Refused };
    /// Takes bytes received from the proxy; after Done, `left_over` has those after its answer.
    Next receive(ByteView bytes);
    /// Bytes to send; after this call, empty until the next `receive`.
    Bytes take_output();
    ByteView left_over() const { return answer_; }
    /// A description of the refusal, after Refused.
    const std::string &reason() const { return reason_; }

private:
    enum class Stage : std::uint8_t { Http, SocksMethod, SocksPassword, SocksConnect };
    Next refused(std::string reason);
    Next receive_http();
    Next receive_socks();
    void ask_socks_for_connection();
    void drop_answer(std::size_t bytes);

    RelayProxy proxy_;
    std::string host_;
    std::uint16_t port_;
    Stage stage_;
    Bytes output_;
    Bytes answer_;
    std::string reason_;
};

} // namespace thru

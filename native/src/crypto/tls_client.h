// The client's end of TLS 1.2 or 1.3 to a server with a trusted certificate. Knows no sockets.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include <openssl/types.h>

#include "base/bytes.h"
#include "base/error.h"
#include "crypto/tls_authorities.h"

namespace thru {

class TlsClient {
public:
    /// Begins a connection to a server whose certificate must be for `name`, a host name or a
    /// literal address. Internal if the library fails.
    static Result<TlsClient> create(const std::string &name, const TlsAuthorities &authorities);
    TlsClient(TlsClient &&) noexcept;
    TlsClient &operator=(TlsClient &&) noexcept;
    ~TlsClient();

    /// True once the handshake has authenticated the server. Data may be written and read.
    bool open() const;
    /// The reason for the end: RelayIdentity for an untrusted certificate, otherwise PeerProtocol.
    const std::optional<Error> &failure() const;

    /// Takes bytes received from the network.
    void receive(ByteView bytes);
    /// Queues data for the server; only while open.
    void write(ByteView data);
    /// Returns the number of data bytes read, 0 if there are none yet.
    std::size_t read(MutableByteView into);
    void take_output(Bytes &out);

private:
    struct State;
    explicit TlsClient(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace thru

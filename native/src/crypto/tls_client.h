// The client's end of TLS 1.2 or 1.3 to a server that authorities vouch for by its name. Knows no
// socket: bytes from and for the network go in and out.
#pragma once

#include <cstddef>
#include <cstdint>
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
    /// Begins with a server whose certificate has to be of `name`, a host name or a literal
    /// address. Internal when the library can't.
    static Result<TlsClient> create(const std::string &name,
                                    std::shared_ptr<const TlsAuthorities> authorities);
    TlsClient(TlsClient &&) noexcept;
    TlsClient &operator=(TlsClient &&) noexcept;
    ~TlsClient();

    /// The handshake is through: the server is who it says. Data may be written and read.
    bool open() const;
    /// Why it is over: RelayIdentity for a certificate that can't be believed, PeerProtocol else.
    const std::optional<Error> &failure() const;

    /// Takes what came from the network.
    void receive(ByteView bytes);
    /// Data for the server; only while it is open.
    void write(ByteView data);
    /// Bytes of data from the server, 0: none now.
    std::size_t read(MutableByteView into);
    /// Appends what has to go to the network.
    void take_output(Bytes &out);

private:
    struct State;
    explicit TlsClient(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace thru

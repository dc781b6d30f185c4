// A session's key and self-signed certificate, and the TLS contexts made from it.
#pragma once

#include <memory>
#include <string_view>

#include <openssl/types.h>

#include "base/error.h"
#include "crypto/digest.h"

namespace thru {

/// SHA-256 of a certificate's DER bytes.
using Fingerprint = Digest;

struct SslCtxDeleter {
    void operator()(SSL_CTX *context) const;
};
using SslCtxPtr = std::unique_ptr<SSL_CTX, SslCtxDeleter>;

/// Ephemeral key and certificate of one share or one receive. Immutable; any thread.
class Identity {
public:
    /// Returns Internal if the library fails.
    static Result<Identity> create();
    /// The same with a certificate that browsers accept by its fingerprint: it is valid for less
    /// than 14 days.
    static Result<Identity> create_for_browsers();

    Identity(Identity &&) noexcept;
    Identity &operator=(Identity &&) noexcept;
    ~Identity();

    const Fingerprint &fingerprint() const;

    /// A TLS 1.3 server context (ALPN thru/1, client certificate required, no tickets, no 0-RTT)
    /// that accepts only the peer certificate with this fingerprint. Internal if the library fails.
    Result<SslCtxPtr> server_context(const Fingerprint &peer) const;
    /// The same for the client.
    Result<SslCtxPtr> client_context(const Fingerprint &peer) const;
    /// A TLS 1.3 server context for browsers: ALPN h3, and no certificate of the client.
    Result<SslCtxPtr> browser_context() const;

private:
    struct State;
    explicit Identity(std::unique_ptr<State> state);
    static Result<Identity> make(bool for_browsers);
    Result<SslCtxPtr> pinned(SslCtxPtr context, const Fingerprint &peer) const;
    Result<SslCtxPtr> configured(SslCtxPtr context, std::string_view alpn_list) const;
    std::unique_ptr<State> state_;
};

inline constexpr std::string_view kAlpn = "thru/1";

} // namespace thru

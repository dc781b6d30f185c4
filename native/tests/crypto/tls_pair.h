// Two ends of a TLS connection in memory.
#pragma once

#include <memory>
#include <string>

#include <openssl/ssl.h>

namespace thru::test {

struct SslDeleter {
    void operator()(SSL *ssl) const { SSL_free(ssl); }
};
using SslPtr = std::unique_ptr<SSL, SslDeleter>;

/// The result of a handshake. In TLS 1.3 the client finishes before the server has seen its
/// certificate, so only data received at both ends is success.
struct TlsPair {
    SslPtr client;
    SslPtr server;
    bool works = false;
};

/// Connects both ends in memory and sends a byte each way.
TlsPair connect(SSL_CTX *client, SSL_CTX *server);

} // namespace thru::test

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

/// What became of a handshake. In TLS 1.3 the client is done before the server has seen the
/// client's certificate, so only data that comes through both ways is success.
struct TlsPair {
    SslPtr client;
    SslPtr server;
    bool works = false;
};

/// Connects the two in memory and sends a byte each way.
TlsPair connect(SSL_CTX *client, SSL_CTX *server);

} // namespace thru::test

#include "crypto/tls_pair.h"

#include <openssl/bio.h>
#include <openssl/err.h>

namespace thru::test {

namespace {

/// More flights than any handshake has.
constexpr int kRounds = 8;

/// Sends one byte from one end to the other.
bool byte_arrives(SSL *from, SSL *to) {
    const char sent = 'x';
    char arrived = 0;
    return SSL_write(from, &sent, 1) == 1 && SSL_read(to, &arrived, 1) == 1 && arrived == sent;
}

} // namespace

TlsPair connect(SSL_CTX *client, SSL_CTX *server) {
    ERR_clear_error();
    TlsPair pair{SslPtr{SSL_new(client)}, SslPtr{SSL_new(server)}, false};
    BIO *client_end = nullptr;
    BIO *server_end = nullptr;
    BIO_new_bio_pair(&client_end, 0, &server_end, 0);
    SSL_set_bio(pair.client.get(), client_end, client_end);
    SSL_set_bio(pair.server.get(), server_end, server_end);
    bool done = false;
    for (int round = 0; round < kRounds && !done; ++round) {
        const int connected = SSL_connect(pair.client.get());
        const int accepted = SSL_accept(pair.server.get());
        done = connected == 1 && accepted == 1;
    }
    pair.works = done && byte_arrives(pair.client.get(), pair.server.get()) &&
                 byte_arrives(pair.server.get(), pair.client.get());
    ERR_clear_error();
    return pair;
}

} // namespace thru::test

#include "crypto/self_test.h"

#include <memory>
#include <utility>

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include "crypto/identity.h"

namespace thru {

namespace {

struct SslDeleter {
    void operator()(SSL *ssl) const { SSL_free(ssl); }
};
using SslPtr = std::unique_ptr<SSL, SslDeleter>;

/// Two flights each way are enough; more means that both sides wait for each other.
constexpr int kRounds = 4;

bool wants_more(const SSL *ssl, int outcome) {
    return outcome == 1 || SSL_get_error(ssl, outcome) == SSL_ERROR_WANT_READ;
}

} // namespace

std::string tls_self_test() {
    const auto server_identity = Identity::create();
    const auto client_identity = Identity::create();
    if (!server_identity || !client_identity) {
        return "no identity could be made";
    }
    const auto server_context = server_identity->server_context(client_identity->fingerprint());
    const auto client_context = client_identity->client_context(server_identity->fingerprint());
    if (!server_context || !client_context) {
        return "no TLS context could be made";
    }
    const SslPtr server{SSL_new(server_context->get())};
    const SslPtr client{SSL_new(client_context->get())};
    BIO *server_end = nullptr;
    BIO *client_end = nullptr;
    if (!server || !client || BIO_new_bio_pair(&server_end, 0, &client_end, 0) != 1) {
        return "no TLS connection could be made";
    }
    SSL_set_bio(server.get(), server_end, server_end);
    SSL_set_bio(client.get(), client_end, client_end);

    // Errors left on this thread by other code would be mistaken for ours.
    ERR_clear_error();
    for (int round = 0; round < kRounds; ++round) {
        const int connected = SSL_connect(client.get());
        const int accepted = SSL_accept(server.get());
        if (connected == 1 && accepted == 1) {
            return SSL_get_version(client.get());
        }
        if (!wants_more(client.get(), connected) || !wants_more(server.get(), accepted)) {
            return "the handshake was refused";
        }
    }
    return "the handshake did not end";
}

} // namespace thru

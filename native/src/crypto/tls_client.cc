#include "crypto/tls_client.h"

#include <utility>

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "base/byte_reader.h"
#include "crypto/identity.h"
#include "crypto/libraries.h"

namespace thru {

namespace {

struct TlsDeleter {
    void operator()(SSL *ssl) const { SSL_free(ssl); }
};

/// True for an address, which must not be sent as SNI (RFC 6066 section 3).
bool is_address(const std::string &name) {
    auto *octets = a2i_IPADDRESS(name.c_str());
    ASN1_OCTET_STRING_free(octets);
    return octets != nullptr;
}

bool set_name(SSL *ssl, const std::string &name) {
    if (is_address(name)) {
        return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), name.c_str()) == 1;
    }
    SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return SSL_set1_host(ssl, name.c_str()) == 1 &&
           SSL_set_tlsext_host_name(ssl, name.c_str()) == 1;
}

/// A description of the certificate's problem for people.
std::string in_words(long verdict) {
    switch (verdict) {
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
        return "its certificate is of another name";
    case X509_V_ERR_CERT_HAS_EXPIRED:
        return "its certificate has expired";
    case X509_V_ERR_CERT_NOT_YET_VALID:
        return "its certificate is not valid yet";
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
        return "nobody that this computer trusts vouches for its certificate";
    default:
        return std::string("its certificate is refused: ") + X509_verify_cert_error_string(verdict);
    }
}

} // namespace

struct TlsClient::State {
    std::string name;
    SslCtxPtr context;
    std::unique_ptr<SSL, TlsDeleter> ssl;
    /// Owned by `ssl`.
    BIO *incoming = nullptr;
    BIO *outgoing = nullptr;
    bool open = false;
    std::optional<Error> failure;

    void shake_hands();
    void fail_after(int outcome);
};

/// Does nothing if OpenSSL only waits for more bytes.
void TlsClient::State::fail_after(int outcome) {
    const auto kind = SSL_get_error(ssl.get(), outcome);
    if (kind == SSL_ERROR_WANT_READ || kind == SSL_ERROR_WANT_WRITE || failure) {
        return;
    }
    const auto number = static_cast<std::int64_t>(ERR_peek_error());
    const auto verdict = SSL_get_verify_result(ssl.get());
    if (verdict != X509_V_OK) {
        failure = Error{ErrorCode::RelayIdentity, verdict, name + ": " + in_words(verdict)};
    } else if (kind == SSL_ERROR_ZERO_RETURN) {
        failure = Error{ErrorCode::PeerProtocol, number, name + ": it ended TLS"};
    } else {
        const char *reason = ERR_reason_error_string(ERR_peek_error());
        failure = Error{ErrorCode::PeerProtocol, number,
                        name + ": TLS failed: " + (reason != nullptr ? reason : "cut off")};
    }
    ERR_clear_error();
}

void TlsClient::State::shake_hands() {
    if (open || failure) {
        return;
    }
    ERR_clear_error();
    const auto outcome = SSL_do_handshake(ssl.get());
    if (outcome == 1) {
        open = true;
    } else {
        fail_after(outcome);
    }
}

TlsClient::TlsClient(std::unique_ptr<State> state) : state_(std::move(state)) {}
TlsClient::TlsClient(TlsClient &&) noexcept = default;
TlsClient &TlsClient::operator=(TlsClient &&) noexcept = default;
TlsClient::~TlsClient() = default;

Result<TlsClient> TlsClient::create(const std::string &name, const TlsAuthorities &authorities) {
    prepare_openssl();
    auto state = std::make_unique<State>();
    state->name = name;
    state->context.reset(SSL_CTX_new(TLS_client_method()));
    if (!state->context ||
        SSL_CTX_set_min_proto_version(state->context.get(), TLS1_2_VERSION) != 1) {
        return fail(ErrorCode::Internal, 0, "no TLS context could be made");
    }
    SSL_CTX_set1_cert_store(state->context.get(), authorities.get());
    SSL_CTX_set_verify(state->context.get(), SSL_VERIFY_PEER, nullptr);
    SSL_CTX_set_session_cache_mode(state->context.get(), SSL_SESS_CACHE_OFF);
    SSL_CTX_set_options(state->context.get(), SSL_OP_NO_RENEGOTIATION);
    state->ssl.reset(SSL_new(state->context.get()));
    if (!state->ssl || !set_name(state->ssl.get(), name)) {
        return fail(ErrorCode::Internal, 0, "TLS could not be set up");
    }
    state->incoming = BIO_new(BIO_s_mem());
    state->outgoing = BIO_new(BIO_s_mem());
    // An empty buffer means "wait", not the end.
    BIO_set_mem_eof_return(state->incoming, -1);
    SSL_set_bio(state->ssl.get(), state->incoming, state->outgoing);
    SSL_set_connect_state(state->ssl.get());
    state->shake_hands();
    return TlsClient{std::move(state)};
}

bool TlsClient::open() const { return state_->open && !state_->failure; }

const std::optional<Error> &TlsClient::failure() const { return state_->failure; }

void TlsClient::receive(ByteView bytes) {
    BIO_write(state_->incoming, bytes.data(), static_cast<int>(bytes.size()));
    state_->shake_hands();
}

void TlsClient::write(ByteView data) {
    if (!open() || data.empty()) {
        return;
    }
    ERR_clear_error();
    std::size_t taken = 0;
    // A memory buffer accepts all data in one call.
    const auto outcome = SSL_write_ex(state_->ssl.get(), data.data(), data.size(), &taken);
    if (outcome != 1) {
        state_->fail_after(outcome);
    }
}

std::size_t TlsClient::read(MutableByteView into) {
    if (!open()) {
        return 0;
    }
    ERR_clear_error();
    std::size_t got = 0;
    const auto outcome = SSL_read_ex(state_->ssl.get(), into.data(), into.size(), &got);
    if (outcome != 1) {
        state_->fail_after(outcome);
        return 0;
    }
    return got;
}

void TlsClient::take_output(Bytes &out) {
    char *data = nullptr;
    const auto size = BIO_get_mem_data(state_->outgoing, &data);
    if (size > 0) {
        append_bytes(
            out, {reinterpret_cast<const std::uint8_t *>(data), static_cast<std::size_t>(size)});
        BIO_reset(state_->outgoing);
    }
}

} // namespace thru

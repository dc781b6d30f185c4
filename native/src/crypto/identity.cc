#include "crypto/identity.h"

#include <array>
#include <string_view>
#include <utility>

#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "crypto/libraries.h"
#include "crypto/pinned_peer.h"
#include "crypto/random.h"

namespace thru {

namespace {

/// ALPN's wire format: a length byte, then the name.
#ifdef __wasm__
// A page has no instructions for AES, which takes three times as long as ChaCha20 there.
constexpr auto kCipherSuites = "TLS_CHACHA20_POLY1305_SHA256";
#else
// AES first: with hardware support it costs a sixth of ChaCha20.
constexpr auto kCipherSuites = "TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256";
#endif
constexpr std::string_view kAlpnList = "\x06thru/1";
static_assert(kAlpnList.substr(1) == kAlpn && kAlpnList[0] == kAlpn.size());
constexpr std::string_view kBrowserAlpnList = "\x02h3";

/// Our certificates have about 300 bytes; this bounds the cost of a peer's chain.
constexpr long kMaxCertificateBytes = 4096;

/// Dates that suit every clock, because only the fingerprint is checked.
constexpr const char *kNotBefore = "19700101000000Z";
constexpr const char *kNotAfter = "99991231235959Z";

/// Dates for browsers, in seconds from now. A browser's clock may be a day off.
constexpr long kBrowserNotBefore = -24L * 3600;
constexpr long kBrowserNotAfter = 12L * 24 * 3600;

struct KeyDeleter {
    void operator()(EVP_PKEY *key) const { EVP_PKEY_free(key); }
};
struct CertificateDeleter {
    void operator()(X509 *certificate) const { X509_free(certificate); }
};
using KeyPtr = std::unique_ptr<EVP_PKEY, KeyDeleter>;
using CertificatePtr = std::unique_ptr<X509, CertificateDeleter>;

std::unexpected<Error> library_failure(const char *what) {
    const auto number = ERR_get_error();
    ERR_clear_error();
    return fail(ErrorCode::Internal, static_cast<std::int64_t>(number), what);
}

bool set_dates(X509 *certificate, bool for_browsers) {
    auto *before = X509_getm_notBefore(certificate);
    auto *after = X509_getm_notAfter(certificate);
    if (for_browsers) {
        return X509_gmtime_adj(before, kBrowserNotBefore) != nullptr &&
               X509_gmtime_adj(after, kBrowserNotAfter) != nullptr;
    }
    return ASN1_TIME_set_string(before, kNotBefore) == 1 &&
           ASN1_TIME_set_string(after, kNotAfter) == 1;
}

/// Chromium requires that there are extensions; this one says what is true without it.
bool add_extension(X509 *certificate) {
    const std::unique_ptr<BASIC_CONSTRAINTS, decltype(&BASIC_CONSTRAINTS_free)> no_authority{
        BASIC_CONSTRAINTS_new(), BASIC_CONSTRAINTS_free};
    return no_authority && X509_add1_ext_i2d(certificate, NID_basic_constraints, no_authority.get(),
                                             0, X509V3_ADD_DEFAULT) == 1;
}

/// The names are empty: they are never read, and must not identify a person across sessions.
CertificatePtr self_signed(EVP_PKEY *key, bool for_browsers) {
    CertificatePtr certificate{X509_new()};
    std::array<std::uint8_t, 16> serial{};
    random_bytes(serial);
    const std::unique_ptr<BIGNUM, decltype(&BN_free)> number{
        BN_bin2bn(serial.data(), serial.size(), nullptr), BN_free};
    const bool made =
        certificate && number && X509_set_version(certificate.get(), X509_VERSION_3) == 1 &&
        BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate.get())) != nullptr &&
        set_dates(certificate.get(), for_browsers) &&
        (!for_browsers || add_extension(certificate.get())) &&
        X509_set_pubkey(certificate.get(), key) == 1 &&
        X509_sign(certificate.get(), key, EVP_sha256()) > 0;
    return made ? std::move(certificate) : nullptr;
}

int select_alpn(SSL *, const unsigned char **out, unsigned char *out_bytes,
                const unsigned char *offered, unsigned int offered_bytes, void *alpn_list) {
    unsigned char *chosen = nullptr;
    const auto list = as_bytes(*static_cast<const std::string_view *>(alpn_list));
    if (SSL_select_next_proto(&chosen, out_bytes, list.data(),
                              static_cast<unsigned int>(list.size()), offered,
                              offered_bytes) != OPENSSL_NPN_NEGOTIATED) {
        return SSL_TLSEXT_ERR_ALERT_FATAL;
    }
    *out = chosen;
    return SSL_TLSEXT_ERR_OK;
}

} // namespace

Result<Fingerprint> fingerprint_of(const X509 *certificate) {
    Fingerprint fingerprint;
    if (X509_digest(certificate, EVP_sha256(), fingerprint.data(), nullptr) != 1) {
        return library_failure("certificate could not be hashed");
    }
    return fingerprint;
}

/// OpenSSL continues without ALPN if the other side doesn't send it.
bool speaks_our_protocol(const SSL *ssl) {
    const unsigned char *name = nullptr;
    unsigned int length = 0;
    SSL_get0_alpn_selected(ssl, &name, &length);
    return as_text({name, length}) == kAlpn;
}

struct Identity::State {
    KeyPtr key;
    CertificatePtr certificate;
    Fingerprint fingerprint{};
};

void SslCtxDeleter::operator()(SSL_CTX *context) const { SSL_CTX_free(context); }

Identity::Identity(std::unique_ptr<State> state) : state_(std::move(state)) {}
Identity::Identity(Identity &&) noexcept = default;
Identity &Identity::operator=(Identity &&) noexcept = default;
Identity::~Identity() = default;

const Fingerprint &Identity::fingerprint() const { return state_->fingerprint; }

Result<Identity> Identity::create() { return make(false); }

Result<Identity> Identity::create_for_browsers() { return make(true); }

Result<Identity> Identity::make(bool for_browsers) {
    prepare_openssl();
    auto state = std::make_unique<State>();
    state->key.reset(EVP_EC_gen("P-256"));
    if (!state->key) {
        return library_failure("no key could be made");
    }
    state->certificate = self_signed(state->key.get(), for_browsers);
    if (!state->certificate) {
        return library_failure("no certificate could be made");
    }
    const auto fingerprint = fingerprint_of(state->certificate.get());
    if (!fingerprint) {
        return std::unexpected(fingerprint.error());
    }
    state->fingerprint = *fingerprint;
    return Identity{std::move(state)};
}

Result<SslCtxPtr> Identity::pinned(SslCtxPtr context, const Fingerprint &peer) const {
    if (!context || !pin_peer(context.get(), peer)) {
        return library_failure("no TLS context could be made");
    }
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
    return configured(std::move(context), kAlpnList);
}

Result<SslCtxPtr> Identity::configured(SslCtxPtr context, std::string_view alpn_list) const {
    if (!context) {
        return library_failure("no TLS context could be made");
    }
    SSL_CTX_set_max_cert_list(context.get(), kMaxCertificateBytes);
    // A resumed session would skip the certificates.
    SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
    SSL_CTX_set_options(context.get(), SSL_OP_NO_TICKET | SSL_OP_CIPHER_SERVER_PREFERENCE);
    static constexpr auto kOwn = kAlpnList;
    static constexpr auto kBrowsers = kBrowserAlpnList;
    const auto *list = alpn_list == kOwn ? &kOwn : &kBrowsers;
    SSL_CTX_set_alpn_select_cb(context.get(), select_alpn, const_cast<std::string_view *>(list));
    const auto alpn = as_bytes(alpn_list);
    const bool accepted = SSL_CTX_set_num_tickets(context.get(), 0) == 1 &&
                          SSL_CTX_set_min_proto_version(context.get(), TLS1_3_VERSION) == 1 &&
                          SSL_CTX_set_max_proto_version(context.get(), TLS1_3_VERSION) == 1 &&
                          SSL_CTX_set_ciphersuites(context.get(), kCipherSuites) == 1 &&
                          SSL_CTX_set1_sigalgs_list(context.get(), "ECDSA+SHA256") == 1 &&
                          SSL_CTX_set1_groups_list(context.get(), "X25519MLKEM768:X25519") == 1 &&
                          SSL_CTX_use_certificate(context.get(), state_->certificate.get()) == 1 &&
                          SSL_CTX_use_PrivateKey(context.get(), state_->key.get()) == 1 &&
                          // Unlike the others, this function returns 0 on success.
                          SSL_CTX_set_alpn_protos(context.get(), alpn.data(),
                                                  static_cast<unsigned int>(alpn.size())) == 0;
    if (!accepted) {
        return library_failure("TLS context could not be configured");
    }
    return context;
}

Result<SslCtxPtr> Identity::server_context(const Fingerprint &peer) const {
    return pinned(SslCtxPtr{SSL_CTX_new(TLS_server_method())}, peer);
}

Result<SslCtxPtr> Identity::client_context(const Fingerprint &peer) const {
    return pinned(SslCtxPtr{SSL_CTX_new(TLS_client_method())}, peer);
}

Result<SslCtxPtr> Identity::browser_context() const {
    return configured(SslCtxPtr{SSL_CTX_new(TLS_server_method())}, kBrowserAlpnList);
}

} // namespace thru

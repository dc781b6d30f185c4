#include "crypto/identity.h"

#include <gtest/gtest.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include "crypto/tls_pair.h"
#include "crypto/versions.h"

namespace thru::test {
namespace {

class IdentityTest : public testing::Test {
protected:
    const Identity sender_ = Identity::create().value();
    const Identity receiver_ = Identity::create().value();
    const SslCtxPtr server_ = sender_.server_context(receiver_.fingerprint()).value();
    const SslCtxPtr client_ = receiver_.client_context(sender_.fingerprint()).value();
};

TEST_F(IdentityTest, TwoThatExpectEachOtherConnect) {
    const auto pair = connect(client_.get(), server_.get());
    ASSERT_TRUE(pair.works);
    EXPECT_STREQ(SSL_get_version(pair.client.get()), "TLSv1.3");
    EXPECT_STREQ(SSL_get_cipher_name(pair.client.get()), "TLS_AES_128_GCM_SHA256");
    EXPECT_STREQ(SSL_get0_group_name(pair.client.get()), "X25519MLKEM768");
    for (const auto *ssl : {pair.client.get(), pair.server.get()}) {
        const unsigned char *alpn = nullptr;
        unsigned int length = 0;
        SSL_get0_alpn_selected(ssl, &alpn, &length);
        EXPECT_EQ(as_text({alpn, length}), kAlpn);
    }
}

TEST_F(IdentityTest, MakesACertificateThatBrowsersAcceptByItsHash) {
    const auto identity = Identity::create_for_browsers().value();
    const auto context = identity.browser_context().value();
    const auto *certificate = SSL_CTX_get0_certificate(context.get());
    int days = 0;
    int seconds = 0;
    ASSERT_EQ(ASN1_TIME_diff(&days, &seconds, X509_get0_notBefore(certificate),
                             X509_get0_notAfter(certificate)),
              1);
    EXPECT_EQ(days, 13) << "14 at most";
    EXPECT_EQ(X509_get_ext_count(certificate), 1);
    EXPECT_LT(X509_cmp_current_time(X509_get0_notBefore(certificate)), 0);
    EXPECT_GT(X509_cmp_current_time(X509_get0_notAfter(certificate)), 0);
}

TEST_F(IdentityTest, NothingCanBeResumed) {
    const auto pair = connect(client_.get(), server_.get());
    ASSERT_TRUE(pair.works);
    const auto *session = SSL_get_session(pair.client.get());
    EXPECT_EQ(SSL_SESSION_is_resumable(session), 0);
    EXPECT_EQ(SSL_SESSION_has_ticket(session), 0);
    EXPECT_EQ(SSL_get_max_early_data(pair.server.get()), 0U);
}

TEST_F(IdentityTest, OneContextServesSeveralConnections) {
    EXPECT_TRUE(connect(client_.get(), server_.get()).works);
    EXPECT_TRUE(connect(client_.get(), server_.get()).works);
}

TEST_F(IdentityTest, TheContextOutlivesTheIdentity) {
    auto identity = std::make_unique<Identity>(Identity::create().value());
    const auto server = identity->server_context(receiver_.fingerprint()).value();
    const auto client = receiver_.client_context(identity->fingerprint()).value();
    identity.reset();
    EXPECT_TRUE(connect(client.get(), server.get()).works);
}

TEST_F(IdentityTest, EveryIdentityIsNew) {
    EXPECT_NE(sender_.fingerprint(), receiver_.fingerprint());
}

TEST_F(IdentityTest, AClientRefusesAStrangerAsServer) {
    const auto stranger = Identity::create().value();
    const auto server = stranger.server_context(receiver_.fingerprint()).value();
    EXPECT_FALSE(connect(client_.get(), server.get()).works);
}

TEST_F(IdentityTest, AServerRefusesAStrangerAsClient) {
    const auto stranger = Identity::create().value();
    const auto client = stranger.client_context(sender_.fingerprint()).value();
    EXPECT_FALSE(connect(client.get(), server_.get()).works);
}

TEST_F(IdentityTest, EveryBitOfTheFingerprintCounts) {
    for (std::size_t bit = 0; bit < 256; bit += 17) {
        auto other = sender_.fingerprint();
        other[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
        const auto client = receiver_.client_context(other).value();
        EXPECT_FALSE(connect(client.get(), server_.get()).works) << bit;
    }
}

/// A context without an identity: no certificate, no checks, our ALPN.
SslCtxPtr anonymous(const SSL_METHOD *method) {
    SslCtxPtr context{SSL_CTX_new(method)};
    const auto *alpn = reinterpret_cast<const unsigned char *>("\x06thru/1");
    EXPECT_EQ(SSL_CTX_set_alpn_protos(context.get(), alpn, 7), 0);
    return context;
}

TEST_F(IdentityTest, AServerRefusesAClientWithoutCertificate) {
    const auto client = anonymous(TLS_client_method());
    EXPECT_FALSE(connect(client.get(), server_.get()).works);
}

TEST_F(IdentityTest, AServerRefusesAClientWithoutAlpn) {
    ASSERT_EQ(SSL_CTX_set_alpn_protos(client_.get(), nullptr, 0), 0);
    EXPECT_FALSE(connect(client_.get(), server_.get()).works);
}

TEST_F(IdentityTest, AServerRefusesAnotherProtocol) {
    const auto *alpn = reinterpret_cast<const unsigned char *>("\x06thru/2\x02h3");
    ASSERT_EQ(SSL_CTX_set_alpn_protos(client_.get(), alpn, 10), 0);
    EXPECT_FALSE(connect(client_.get(), server_.get()).works);
}

TEST_F(IdentityTest, AClientRefusesAServerWithoutAlpn) {
    SSL_CTX_set_alpn_select_cb(server_.get(), nullptr, nullptr);
    // The server's own check would refuse this, too.
    SSL_CTX_set_cert_verify_callback(
        server_.get(), [](X509_STORE_CTX *, void *) { return 1; }, nullptr);
    EXPECT_FALSE(connect(client_.get(), server_.get()).works);
}

TEST_F(IdentityTest, OlderTlsIsRefused) {
    const auto client = anonymous(TLS_client_method());
    SSL_CTX_set_max_proto_version(client.get(), TLS1_2_VERSION);
    EXPECT_FALSE(connect(client.get(), server_.get()).works);
}

TEST_F(IdentityTest, AServerAgreesToChaCha20WhenAClientHasNothingElse) {
    ASSERT_EQ(SSL_CTX_set_ciphersuites(client_.get(), "TLS_CHACHA20_POLY1305_SHA256"), 1);
    const auto pair = connect(client_.get(), server_.get());
    ASSERT_TRUE(pair.works);
    EXPECT_STREQ(SSL_get_cipher_name(pair.server.get()), "TLS_CHACHA20_POLY1305_SHA256");
}

TEST_F(IdentityTest, AClientWithoutHybridKeysFallsBackToX25519) {
    ASSERT_EQ(SSL_CTX_set1_groups_list(client_.get(), "X25519"), 1);
    const auto pair = connect(client_.get(), server_.get());
    ASSERT_TRUE(pair.works);
    EXPECT_STREQ(SSL_get0_group_name(pair.server.get()), "x25519");
}

TEST(CryptoVersions, AreThoseWeNeed) {
    const auto versions = crypto_versions();
    EXPECT_TRUE(versions.openssl.starts_with("3.")) << versions.openssl;
    EXPECT_TRUE(versions.sodium.starts_with("1.0.")) << versions.sodium;
    EXPECT_TRUE(versions.blake3.starts_with("1.")) << versions.blake3;
}

} // namespace
} // namespace thru::test

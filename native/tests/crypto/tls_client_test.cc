// A TLS client against servers whose certificates are made here, by an authority made here.
#include "crypto/tls_client.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "crypto/identity.h"
#include "crypto/tls_pair.h"

namespace thru {
namespace {

constexpr long kDay = 24 * 60 * 60;

struct KeyDeleter {
    void operator()(EVP_PKEY *key) const { EVP_PKEY_free(key); }
};
struct CertificateDeleter {
    void operator()(X509 *certificate) const { X509_free(certificate); }
};

struct Holder {
    std::unique_ptr<EVP_PKEY, KeyDeleter> key{EVP_EC_gen("P-256")};
    std::unique_ptr<X509, CertificateDeleter> certificate{X509_new()};
};

void add_extension(X509 *certificate, int kind, const char *value) {
    auto *extension = X509V3_EXT_conf_nid(nullptr, nullptr, kind, value);
    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
}

/// `names` is in the form of subjectAltName; empty for an authority. Valid for a day, starting
/// `begins` seconds from now. Self-signed if `issuer` is nullptr.
Holder holder_of(const char *common_name, const char *names, const Holder *issuer, long begins) {
    Holder made;
    auto *certificate = made.certificate.get();
    X509_set_version(certificate, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), issuer != nullptr ? 2 : 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), begins);
    X509_gmtime_adj(X509_getm_notAfter(certificate), begins + kDay);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char *>(common_name), -1, -1, 0);
    X509_set_issuer_name(
        certificate, X509_get_subject_name((issuer != nullptr ? *issuer : made).certificate.get()));
    X509_set_pubkey(certificate, made.key.get());
    if (*names == '\0') {
        add_extension(certificate, NID_basic_constraints, "critical,CA:TRUE");
    } else {
        add_extension(certificate, NID_subject_alt_name, names);
    }
    X509_sign(certificate, (issuer != nullptr ? *issuer : made).key.get(), EVP_sha256());
    return made;
}

class TlsClientTest : public testing::Test {
protected:
    TlsClientTest() {
        const auto file = testing::TempDir() + "thru-authority-" +
                          std::to_string(reinterpret_cast<std::uintptr_t>(this)) + ".pem";
        auto *out = std::fopen(file.c_str(), "wb");
        PEM_write_X509(out, authority_.certificate.get());
        std::fclose(out);
        authorities_ = authorities_in(file).value();
        std::filesystem::remove(file);
    }

    /// Connects to `name` at a server that has `holder`; returns the error, if any.
    std::optional<Error> connect(const std::string &name, const Holder &holder,
                                 int max_version = TLS1_3_VERSION) {
        const SslCtxPtr context(SSL_CTX_new(TLS_server_method()));
        SSL_CTX_set_max_proto_version(context.get(), max_version);
        SSL_CTX_use_certificate(context.get(), holder.certificate.get());
        SSL_CTX_use_PrivateKey(context.get(), holder.key.get());
        const test::SslPtr server(SSL_new(context.get()));
        auto *incoming = BIO_new(BIO_s_mem());
        auto *outgoing = BIO_new(BIO_s_mem());
        SSL_set_bio(server.get(), incoming, outgoing);
        SSL_set_accept_state(server.get());
        auto client = TlsClient::create(name, authorities_).value();
        constexpr int kRounds = 8;
        std::array<std::uint8_t, 20'000> buffer{};
        for (int round = 0; round < kRounds; ++round) {
            Bytes out;
            client.take_output(out);
            BIO_write(incoming, out.data(), static_cast<int>(out.size()));
            SSL_do_handshake(server.get());
            const auto size = BIO_read(outgoing, buffer.data(), static_cast<int>(buffer.size()));
            if (size > 0) {
                client.receive(ByteView{buffer}.first(static_cast<std::size_t>(size)));
            }
        }
        const auto *asked = SSL_get_servername(server.get(), TLSEXT_NAMETYPE_host_name);
        asked_ = asked != nullptr ? asked : "";
        ERR_clear_error();
        if (client.failure()) {
            EXPECT_FALSE(client.open());
            return client.failure();
        }
        EXPECT_TRUE(client.open());
        // Data flows both ways, in pieces.
        client.write(as_bytes("question"));
        Bytes out;
        client.take_output(out);
        BIO_write(incoming, out.data(), static_cast<int>(out.size()));
        EXPECT_EQ(SSL_read(server.get(), buffer.data(), static_cast<int>(buffer.size())), 8);
        SSL_write(server.get(), "answer", 6);
        const auto size = BIO_read(outgoing, buffer.data(), static_cast<int>(buffer.size()));
        std::string answer;
        for (int at = 0; at < size; ++at) {
            client.receive(ByteView{buffer}.subspan(static_cast<std::size_t>(at), 1));
            std::array<std::uint8_t, 4> piece{};
            while (const auto got = client.read(piece)) {
                answer.append(as_text(ByteView{piece}.first(got)));
            }
        }
        EXPECT_EQ(answer, "answer");
        return std::nullopt;
    }

    /// A certificate signed by the authority.
    Holder vouched(const char *names, long begins = -60) const {
        return holder_of("relay", names, &authority_, begins);
    }

    Holder authority_ = holder_of("Test authority", "", nullptr, -60);
    TlsAuthorities authorities_;
    std::string asked_;
};

TEST_F(TlsClientTest, AServerWithTheRightNameIsBelieved) {
    EXPECT_FALSE(connect("relay.example", vouched("DNS:relay.example")));
    EXPECT_EQ(asked_, "relay.example");
    EXPECT_FALSE(connect("a.relay.example", vouched("DNS:*.relay.example")));
    EXPECT_FALSE(connect("relay.example", vouched("DNS:relay.example"), TLS1_2_VERSION));
}

TEST_F(TlsClientTest, AServerAtAnAddressIsBelievedByItsAddress) {
    EXPECT_FALSE(connect("192.0.2.1", vouched("IP:192.0.2.1")));
    EXPECT_EQ(asked_, "");
    EXPECT_FALSE(connect("2001:db8::1", vouched("IP:2001:db8::1")));
    EXPECT_TRUE(connect("192.0.2.1", vouched("DNS:192.0.2.1")));
}

TEST_F(TlsClientTest, AnotherNameIsRefusedInWords) {
    const auto error = connect("relay.example", vouched("DNS:other.example"));
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, ErrorCode::RelayIdentity);
    EXPECT_EQ(error->detail, "relay.example: its certificate is of another name");
    EXPECT_TRUE(connect("192.0.2.1", vouched("IP:192.0.2.2")));
}

TEST_F(TlsClientTest, AnExpiredCertificateIsRefusedInWords) {
    const auto late = connect("relay.example", vouched("DNS:relay.example", -2 * kDay));
    ASSERT_TRUE(late);
    EXPECT_EQ(late->detail, "relay.example: its certificate has expired");
    const auto early = connect("relay.example", vouched("DNS:relay.example", kDay));
    ASSERT_TRUE(early);
    EXPECT_EQ(early->detail, "relay.example: its certificate is not valid yet");
}

TEST_F(TlsClientTest, WhomNobodyVouchesForIsRefusedInWords) {
    constexpr auto kUnknown =
        "relay.example: nobody that this computer trusts vouches for its certificate";
    const auto alone = connect("relay.example", holder_of("r", "DNS:relay.example", nullptr, -60));
    ASSERT_TRUE(alone);
    EXPECT_EQ(alone->code, ErrorCode::RelayIdentity);
    EXPECT_EQ(alone->detail, kUnknown);
    const auto stranger = holder_of("Test authority", "", nullptr, -60);
    const auto foreign =
        connect("relay.example", holder_of("r", "DNS:relay.example", &stranger, -60));
    ASSERT_TRUE(foreign);
}

TEST_F(TlsClientTest, AnOldProtocolIsNotSpoken) {
    const auto error = connect("relay.example", vouched("DNS:relay.example"), TLS1_1_VERSION);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, ErrorCode::PeerProtocol);
}

TEST_F(TlsClientTest, WhatIsNoTlsEndsIt) {
    auto client = TlsClient::create("relay.example", authorities_).value();
    client.receive(as_bytes("HTTP/1.1 400 Bad Request\r\n\r\n"));
    ASSERT_TRUE(client.failure());
    EXPECT_EQ(client.failure()->code, ErrorCode::PeerProtocol);
}

TEST_F(TlsClientTest, AFileWithoutCertificatesIsNoAuthority) {
    EXPECT_FALSE(authorities_in(testing::TempDir() + "thru-no-such-file.pem"));
}

} // namespace
} // namespace thru

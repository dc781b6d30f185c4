// The objects of ngtcp2 and OpenSSL behind a connection, and how they are set up. Shared by the
// files of this folder only.
#pragma once

#include <memory>

#include <ngtcp2/ngtcp2.h>
#include <ngtcp2/ngtcp2_crypto.h>
#include <ngtcp2/ngtcp2_crypto_ossl.h>
#include <openssl/ssl.h>

#include "quic/connection.h"

namespace thru {

/// Without a sign of life the connection is over after this long; Liveness says much sooner that
/// something is wrong.
inline constexpr ngtcp2_duration kIdleTimeout = 120 * NGTCP2_SECONDS;
inline constexpr ngtcp2_duration kKeepAlive = 6 * NGTCP2_SECONDS;

class LibraryConnection {
public:
    LibraryConnection(SslCtxPtr context, CongestionControl congestion_control)
        : tls_context_(std::move(context)), congestion_control_(congestion_control) {}

    /// Creates the objects. `first` is the client's first datagram at the server. PeerProtocol when
    /// it is not the beginning of a connection. `user` is what callbacks get.
    Result<> begin(bool server, ConnectionSettings &settings, ngtcp2_path path, ByteView first,
                   ConnectionState &user, Timestamp now);
    /// Undoes `begin`.
    void forget();

    /// nullptr before `begin`.
    ngtcp2_conn *conn() const { return conn_.get(); }
    SSL *ssl() const { return ssl_.get(); }
    Timestamp begun_at() const { return begun_at_; }
    CongestionControl congestion_control() const { return congestion_control_; }
    /// After `begin`.
    void set_congestion_control(CongestionControl wanted, Timestamp now);

private:
    struct ConnDeleter {
        void operator()(ngtcp2_conn *conn) const { ngtcp2_conn_del(conn); }
    };
    struct SslDeleter {
        void operator()(SSL *ssl) const {
            // ngtcp2's helper reads the application data while SSL is torn down.
            SSL_set_app_data(ssl, nullptr);
            SSL_free(ssl);
        }
    };
    struct CryptoContextDeleter {
        void operator()(ngtcp2_crypto_ossl_ctx *context) const {
            ngtcp2_crypto_ossl_ctx_del(context);
        }
    };

    SslCtxPtr tls_context_;
    CongestionControl congestion_control_;
    // Order of destruction: connection, then the SSL object, then what it points to.
    std::unique_ptr<ngtcp2_crypto_ossl_ctx, CryptoContextDeleter> crypto_;
    std::unique_ptr<SSL, SslDeleter> ssl_;
    std::unique_ptr<ngtcp2_conn, ConnDeleter> conn_;
    ngtcp2_crypto_conn_ref conn_ref_{};
    Timestamp begun_at_ = 0;
};

} // namespace thru

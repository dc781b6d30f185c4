// The ngtcp2 and OpenSSL objects of a connection. Shared by the files of this folder only.
#pragma once

#include <memory>

#include <ngtcp2/ngtcp2.h>
#include <ngtcp2/ngtcp2_crypto.h>
#include <ngtcp2/ngtcp2_crypto_ossl.h>
#include <openssl/ssl.h>

#include "quic/connection.h"

namespace thru {

/// The connection ends after this long without a packet; Liveness reports trouble much sooner.
inline constexpr ngtcp2_duration kIdleTimeout = 120 * NGTCP2_SECONDS;
inline constexpr ngtcp2_duration kKeepAlive = 6 * NGTCP2_SECONDS;

class LibraryConnection {
public:
    LibraryConnection(SslCtxPtr context, CongestionControl congestion_control)
        : tls_context_(std::move(context)), congestion_control_(congestion_control) {}

    /// Creates the objects. `first`: at the server, the client's first datagram; PeerProtocol if no
    /// connection can begin with it. `user` is passed to callbacks.
    Result<> begin(bool server, ConnectionSettings &settings, ngtcp2_path path, ByteView first,
                   ConnectionState &user, Timestamp now);
    /// Undoes `begin`.
    void forget();

    /// nullptr before `begin`.
    ngtcp2_conn *conn() const { return conn_.get(); }
    SSL *ssl() const { return ssl_.get(); }
    Timestamp begun_at() const { return begun_at_; }
    CongestionControl congestion_control() const { return congestion_control_; }
    /// Requires `begin`.
    void set_congestion_control(CongestionControl wanted, Timestamp now);

private:
    struct ConnDeleter {
        void operator()(ngtcp2_conn *conn) const { ngtcp2_conn_del(conn); }
    };
    struct SslDeleter {
        void operator()(SSL *ssl) const {
            // ngtcp2's helper reads the application data during SSL_free.
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
    // Order of destruction: connection, then the SSL object, then its context.
    std::unique_ptr<ngtcp2_crypto_ossl_ctx, CryptoContextDeleter> crypto_;
    std::unique_ptr<SSL, SslDeleter> ssl_;
    std::unique_ptr<ngtcp2_conn, ConnDeleter> conn_;
    ngtcp2_crypto_conn_ref conn_ref_{};
    Timestamp begun_at_ = 0;
};

} // namespace thru

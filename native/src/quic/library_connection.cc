#include "quic/library_connection.h"

#include <algorithm>

#include "crypto/random.h"
#include "quic/connection_state.h"
#include "quic/ngtcp2_patches.h"

namespace thru {

namespace {

constexpr ngtcp2_duration kHandshakeTimeout = 10 * NGTCP2_SECONDS;
/// One segment's stream: 8 MiB of data, its header and hash. A longer one would exceed ngtcp2's
/// limit of 4,000 gaps per stream on a lossy path. A stream gets no further credit, so a smaller
/// window would block segments forever.
constexpr std::uint64_t kStreamWindow = (8ULL << 20) + (128ULL << 10);
constexpr std::uint64_t kControlWindow = 256ULL << 10;
/// A sender's messages contain the chunks that a receiver fetches.
constexpr std::uint64_t kSendersControlWindow = 2ULL << 20;
constexpr std::uint64_t kUnidirectionalStreams = 256;
/// A browser's session and its one stream; HTTP/3's own streams, and a few of extensions.
constexpr std::uint64_t kBrowserBidirectionalStreams = 2;
constexpr std::uint64_t kBrowserUnidirectionalStreams = 8;
/// A pair can return to its relay, so its silence ends sooner than that of other connections.
constexpr ngtcp2_duration kBrowserIdleTimeout = 20 * NGTCP2_SECONDS;
/// HTTP/3 requires that datagrams are allowed (RFC 9297, section 2.1.1); none is read.
constexpr std::uint64_t kBrowserDatagramBytes = 65'535;
/// Frames that change nothing. They include duplicate data, and reordering makes a sender repeat a
/// whole window needlessly. The library's defaults of 10,000 and 330 a second end honest
/// connections. This is the largest window that follows a path, in packets, or four of the initial
/// ones. The rate is a fifth of the packets of 1 Gbit/s, which take 2 % of a core.
constexpr std::uint64_t kGlitches = 200'000;
constexpr std::uint64_t kGlitchesPerSecond = 20'000;
/// Each path uses one; an abandoned one is replaced a round trip later.
constexpr std::uint64_t kConnectionIds = 8;
constexpr std::size_t kClientDcidBytes = 16;
constexpr std::size_t kScidBytes = 8;

ngtcp2_conn *conn_of(ngtcp2_crypto_conn_ref *ref) {
    return static_cast<const LibraryConnection *>(ref->user_data)->conn();
}

void write_qlog(void *user, std::uint32_t, const void *data, std::size_t size) {
    const ByteView record{static_cast<const std::uint8_t *>(data), size};
    // The end of the log has no record. ngtcp2 starts no record for a padding-only packet: it
    // passes the previous record again, followed by the end of this one.
    if (!record.empty() && std::ranges::find(record, '\n') == record.end() - 1) {
        static_cast<ConnectionState *>(user)->settings.qlog->write(record);
    }
}

ngtcp2_cc_algo algorithm_of(CongestionControl congestion_control) {
    return congestion_control == CongestionControl::Bbr ? NGTCP2_CC_ALGO_BBR : NGTCP2_CC_ALGO_CUBIC;
}

ngtcp2_settings library_settings(const ConnectionSettings &chosen, Timestamp now) {
    ngtcp2_settings settings;
    ngtcp2_settings_default(&settings);
    settings.initial_ts = now;
    settings.cc_algo = algorithm_of(chosen.congestion_control);
    settings.max_tx_udp_payload_size = std::ranges::max(chosen.datagram_bytes);
    settings.pmtud_probes = chosen.datagram_bytes.data();
    settings.pmtud_probeslen = chosen.datagram_bytes.size();
    settings.ack_thresh = 10;
    settings.handshake_timeout = kHandshakeTimeout;
    settings.glitch_ratelim_burst = kGlitches;
    settings.glitch_ratelim_rate = kGlitchesPerSecond;
    settings.qlog_write = chosen.qlog ? write_qlog : nullptr;
    return settings;
}

ngtcp2_transport_params transport_parameters(bool server, const ConnectionSettings &chosen) {
    ngtcp2_transport_params params;
    ngtcp2_transport_params_default(&params);
    // Only the receiver (client) gets bulk data; only the sender (server) accepts a control stream.
    params.initial_max_streams_bidi = server ? 1 : 0;
    params.initial_max_streams_uni = server ? 0 : kUnidirectionalStreams;
    params.initial_max_stream_data_bidi_local = kSendersControlWindow;
    params.initial_max_stream_data_bidi_remote = kControlWindow;
    params.initial_max_stream_data_uni = kStreamWindow;
    params.initial_max_data = server ? kControlWindow : chosen.connection_window;
    params.max_idle_timeout = kIdleTimeout;
    params.active_connection_id_limit = kConnectionIds;
    if (chosen.for_browser) {
        params.initial_max_streams_bidi = kBrowserBidirectionalStreams;
        params.initial_max_streams_uni = kBrowserUnidirectionalStreams;
        params.initial_max_stream_data_uni = kControlWindow;
        params.max_datagram_frame_size = kBrowserDatagramBytes;
        params.max_idle_timeout = kBrowserIdleTimeout;
    }
    return params;
}

} // namespace

Result<> LibraryConnection::begin(bool server, ConnectionSettings &settings, ngtcp2_path path,
                                  ByteView first, ConnectionState &user, Timestamp now) {
    begun_at_ = now;
    const auto callbacks = connection_callbacks(server);
    auto library = library_settings(settings, now);
    library.rand_ctx.native_handle = settings.draw ? &settings.draw : nullptr;
    auto params = transport_parameters(server, settings);

    ngtcp2_cid own{};
    own.datalen = kScidBytes;
    random_bytes({own.data, own.datalen});
    ngtcp2_conn *created = nullptr;
    int outcome = 0;
    if (server) {
        ngtcp2_pkt_hd header;
        if (ngtcp2_accept(&header, first.data(), first.size()) != 0) {
            return fail(ErrorCode::PeerProtocol, 0, "not a QUIC Initial packet");
        }
        if (settings.qlog) {
            settings.qlog->begin({header.dcid.data, header.dcid.datalen}, true);
        }
        params.original_dcid = header.dcid;
        params.original_dcid_present = 1;
        outcome = ngtcp2_conn_server_new(&created, &header.scid, &own, &path, header.version,
                                         &callbacks, &library, &params, nullptr, &user);
    } else {
        ngtcp2_cid other{};
        other.datalen = kClientDcidBytes;
        random_bytes({other.data, other.datalen});
        if (settings.qlog) {
            settings.qlog->begin({other.data, other.datalen}, false);
        }
        outcome = ngtcp2_conn_client_new(&created, &other, &own, &path, NGTCP2_PROTO_VER_V1,
                                         &callbacks, &library, &params, nullptr, &user);
    }
    if (outcome != 0) {
        return fail(ErrorCode::Internal, outcome, ngtcp2_strerror(outcome));
    }
    conn_.reset(created);

    ssl_.reset(SSL_new(tls_context_.get()));
    ngtcp2_crypto_ossl_ctx *context = nullptr;
    if (!ssl_ || ngtcp2_crypto_ossl_ctx_new(&context, ssl_.get()) != 0) {
        return fail(ErrorCode::Internal, 0, "TLS could not be set up");
    }
    crypto_.reset(context);
    conn_ref_ = {conn_of, this};
    SSL_set_app_data(ssl_.get(), &conn_ref_);
    if (server) {
        ngtcp2_crypto_ossl_configure_server_session(ssl_.get());
        SSL_set_accept_state(ssl_.get());
    } else {
        ngtcp2_crypto_ossl_configure_client_session(ssl_.get());
        SSL_set_connect_state(ssl_.get());
    }
    ngtcp2_conn_set_tls_native_handle(conn_.get(), crypto_.get());
    ngtcp2_conn_set_keep_alive_timeout(conn_.get(), kKeepAlive);
    return {};
}

void LibraryConnection::forget() {
    conn_.reset();
    ssl_.reset();
    crypto_.reset();
}

void LibraryConnection::set_congestion_control(CongestionControl wanted, Timestamp now) {
    if (wanted != congestion_control_) {
        congestion_control_ = wanted;
        thru::set_congestion_control(conn(), algorithm_of(wanted), now);
    }
}

} // namespace thru

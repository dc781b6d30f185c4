// What a Connection holds; shared by the files of this folder only.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "quic/connection.h"
#include "quic/farewell.h"
#include "quic/library_connection.h"
#include "quic/life_signs.h"
#include "quic/liveness.h"
#include "quic/migration.h"
#include "quic/packet_writer.h"
#include "quic/path_windows.h"
#include "quic/send_quota.h"
#include "quic/send_streams.h"

namespace thru {

struct ConnectionState {
    ConnectionState(bool is_server, SslCtxPtr context, const ConnectionSettings &chosen,
                    ConnectionListener &owner)
        : server(is_server), settings(chosen), listener(owner),
          library(std::move(context), chosen.congestion_control), migration(is_server),
          windows(is_server, chosen) {}

    bool server;
    ConnectionSettings settings;
    ConnectionListener &listener;
    LibraryConnection library;
    Migration migration;
    SendStreams streams;
    SendQuota quota;
    PacketWriter writer{streams, quota, settings.datagram_bytes};
    PathWindows windows;
    Liveness liveness;
    LifeSigns life;
    Farewell farewell;

    bool established = false;
    /// The other side said STOP_SENDING.
    bool stopped = false;
    std::optional<Closed> closed;
    /// Server: datagrams of a first flight whose beginning is still on its way. A ClientHello with
    /// ML-KEM fills two, and ngtcp2 starts with the one that holds its first byte only.
    std::vector<Bytes> ahead;
    std::uint64_t unconsumed = 0;
    /// Time of the datagram being read, for callbacks that don't get it as an argument.
    Timestamp reading_at = 0;
    Timestamp last_stream_data = 0;
    /// Figures that are counted here; ngtcp2 and `writer` count the rest.
    Connection::Statistics counts;
    Bottleneck supply = Bottleneck::Peer;
    BottleneckClock limits;

    ngtcp2_conn *conn() const { return library.conn(); }
    /// The handshake is done, and the connection not over.
    bool alive() const { return established && !closed; }
    /// Takes one datagram.
    void read(ByteView datagram, const Way &from, Timestamp now);
    /// Chooses congestion control by the round trip, where that decides.
    void choose_congestion_control(Timestamp now);
    /// Looks whether what was read came from the other side.
    void note_life(Timestamp now);
    /// Has a PING sent when the other side has to show that it is there.
    void ask_if_due(Timestamp now);
    /// Tells the owner what the library's error means; informs the other side when possible.
    void fail_with(int library_error, Timestamp now);
    /// Ends the connection here; the CONNECTION_CLOSE waits for the next flush.
    void close_with(const std::optional<Error> &error, Timestamp now);
    /// Ends the connection; nothing else happens then.
    void end(Closed how);
};

/// Callbacks for either role.
ngtcp2_callbacks connection_callbacks(bool server);

/// The bottleneck after a flush that ended so.
Bottleneck bottleneck_of(const ConnectionState &state, FlushOutcome outcome);
Connection::Statistics statistics_of(const ConnectionState &state, Timestamp now);
Connection::Stall stall_of(const ConnectionState &state);

/// Name of an error in a CONNECTION_CLOSE: its reason phrase, and a number that is 0 for none.
inline constexpr std::uint64_t kApplicationOk = 0;
inline constexpr std::uint64_t kApplicationError = 1;

} // namespace thru

// The state of a Connection; shared by the files of this folder only.
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
    /// CUBIC is too slow for the losses that were seen.
    bool lossy = false;
    /// The other side sent STOP_SENDING.
    bool stopped = false;
    std::optional<Closed> closed;
    /// Server: datagrams of a first flight whose beginning has not arrived. A ClientHello with
    /// ML-KEM fills two, and ngtcp2 starts only with the one that holds its first byte.
    std::vector<Bytes> ahead;
    std::uint64_t unconsumed = 0;
    /// Time of the datagram being read, for callbacks that don't get it as an argument.
    Timestamp reading_at = 0;
    Timestamp last_stream_data = 0;
    /// Statistics counted here; ngtcp2 and `writer` count the rest.
    Connection::Statistics counts;
    Bottleneck supply = Bottleneck::Peer;
    BottleneckTimer limits;

    ngtcp2_conn *conn() const { return library.conn(); }
    /// True between the handshake and the end.
    bool alive() const { return established && !closed; }
    void read(ByteView datagram, const PathId &from, Timestamp now);
    /// Chooses congestion control by the round trip, if the settings say so.
    void choose_congestion_control(Timestamp now);
    /// Checks whether the datagram just read came from the other side.
    void note_life(Timestamp now);
    /// Sends a PING when a probe of the other side is due.
    void ask_if_due(Timestamp now);
    /// Reports the library's error to the owner, and to the other side when possible.
    void fail_with(int library_error, Timestamp now);
    /// Ends the connection here; the CONNECTION_CLOSE waits for the next flush.
    void close_with(const std::optional<Error> &error, Timestamp now);
    /// Ends the connection; nothing happens after that.
    void end(Closed how);
};

ngtcp2_callbacks connection_callbacks(bool server);

/// The bottleneck after a flush with this `outcome`.
Bottleneck bottleneck_of(const ConnectionState &state, FlushOutcome outcome);
Connection::Statistics statistics_of(const ConnectionState &state, Timestamp now);
Connection::Stall stall_of(const ConnectionState &state);

/// The error of a CONNECTION_CLOSE: its name as reason phrase, and a code that is 0 for none.
inline constexpr std::uint64_t kApplicationOk = 0;
inline constexpr std::uint64_t kApplicationError = 1;

} // namespace thru

// How much of a simulated path bulk data gets: one connection, memory to memory, in virtual time.
#pragma once

#include "engine/send_budget.h"
#include "quic/connection.h"
#include "sim/virtual_link.h"

namespace thru::sim {

struct BulkTrial {
    LinkConfig link;
    double seconds = 20;
    CongestionControl congestion_control = CongestionControl::Bbr;
    bool leaves_room = false;
    /// From half-way on.
    bool leaves_room_later = false;
    /// The receiver's window at first and at most, in bytes. The sender keeps three quarters of it.
    std::uint64_t window = kConnectionWindow;
    std::uint64_t largest_window = kMaxConnectionWindow;
    /// What the sender has together with others; null: all that it wants.
    SendBudget *budget = nullptr;
    /// Half-way the link's rate is multiplied by this.
    double rate_change = 1;
    /// Until half-way the sender pauses for so long, in seconds.
    double pause = 0;
};

/// Rates are shares of the payload that the link's rate allows at each moment, in full datagrams.
struct BulkFigures {
    /// Of the whole trial, handshake and start included.
    double share = 0;
    /// Of its last quarter.
    double steady = 0;
    /// Bytes sent beyond those that the payload needs once, to the payload.
    double again = 0;
    /// Time in the bottleneck's queue in the last half, in round trips: mean.
    double added_delay = 0;
    /// From the beginning, and from the change of the rate or the end of the pause, until 90 % are
    /// reached; negative when they are not.
    double seconds_to_rate = -1;
    double seconds_to_new_rate = -1;
    /// Of the time since the handshake: data waited for the receiver's credit, or for room in what
    /// the sender keeps.
    double held_up = 0;
    /// What the ends may keep of it, in bytes.
    std::uint64_t receive_window = 0;
    std::uint64_t send_buffer = 0;
    /// The connection lived to the end.
    bool alive = false;
};

BulkFigures measure(const BulkTrial &trial);

} // namespace thru::sim

// Bulk data's share of a simulated path: one connection, memory to memory, in virtual time.
#pragma once

#include <optional>

#include "engine/send_budget.h"
#include "quic/connection.h"
#include "sim/virtual_link.h"

namespace thru::sim {

struct BulkTrial {
    LinkConfig link;
    double seconds = 20;
    CongestionControl congestion_control = CongestionControl::Bbr;
    bool background = false;
    /// Leaves room from the middle of the trial.
    bool background_later = false;
    /// The receiver's window at first and at most, in bytes. The sender keeps three quarters of it.
    std::uint64_t window = kConnectionWindow;
    std::uint64_t max_window = kMaxConnectionWindow;
    /// Budget that the sender shares with others; null for no limit.
    SendBudget *budget = nullptr;
    /// The link's rate is multiplied by this at the middle of the trial.
    double rate_change = 1;
    /// The path as an earlier connection measured it.
    std::optional<SavedPath> saved{};
    /// Length in seconds of the sender's pause, which ends at the middle of the trial.
    double pause = 0;
};

/// Rates are shares of the payload that the link's rate allows at each moment, in full datagrams.
struct BulkFigures {
    /// Rate over the whole trial, including handshake and startup.
    double share = 0;
    /// Rate over its last quarter.
    double steady = 0;
    /// Bytes sent beyond the necessary ones, divided by the payload.
    double again = 0;
    /// Mean time in the bottleneck's queue during the last half, in round trips.
    double added_delay = 0;
    /// Seconds until 90% is reached, from the start, and from the change of rate or the end of the
    /// pause; negative if it is not reached.
    double seconds_to_rate = -1;
    double seconds_to_new_rate = -1;
    /// Share of the time since the handshake spent waiting for credit or for the sender's buffer.
    double held_up = 0;
    /// Buffer limits of the ends for this connection, in bytes.
    std::uint64_t receive_window = 0;
    std::uint64_t send_buffer = 0;
    CarefulResume careful_resume = CarefulResume::None;
    /// The path as the next connection gets it.
    std::optional<SavedPath> measured{};
    /// True if the connection lived to the end.
    bool alive = false;
};

BulkFigures measure(const BulkTrial &trial);

} // namespace thru::sim

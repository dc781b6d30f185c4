// How several connections share one bottleneck, or one sender's memory: bulk data, memory to
// memory, in virtual time.
#pragma once

#include <optional>
#include <vector>

#include "engine/send_budget.h"
#include "quic/connection.h"
#include "sim/virtual_link.h"

namespace thru::sim {

struct SharedTrial {
    /// Each connection's path; rate and queue are there once, for all.
    LinkConfig link;
    struct Flow {
        CongestionControl congestion_control = CongestionControl::Bbr;
        double begins = 0;
        double ends = 1e9;
        /// In addition to the link's, each way.
        Timestamp delay = 0;
        bool leaves_room = false;
        /// Its own path in place of the one that the others share.
        std::optional<LinkConfig> own_link{};
    };
    std::vector<Flow> flows;
    /// What the senders have together; null: each has all that it wants.
    SendBudget *budget = nullptr;
    double seconds = 60;
    /// Where the figures begin.
    double measured_from = 0;
};

struct SharedFigures {
    /// Of each connection, of what all received.
    std::vector<double> shares;
    /// Of each connection, in bytes a second.
    std::vector<double> rates;
    /// Jain's index: 1 when all received the same, 1/n when one received all.
    double fairness = 0;
    /// Of the payload that the rate allows, all together.
    double used = 0;
    /// Mean time in the bottleneck's queue, in round trips.
    double added_delay = 0;
    /// Bytes sent beyond those that the payload needs once, to the payload, of each connection.
    std::vector<double> again;
};

SharedFigures measure(const SharedTrial &trial);

} // namespace thru::sim

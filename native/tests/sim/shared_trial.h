// Several connections that share one bottleneck, or one sender's memory: bulk data, memory to
// memory, in virtual time.
#pragma once

#include <optional>
#include <vector>

#include "engine/send_budget.h"
#include "quic/connection.h"
#include "sim/virtual_link.h"

namespace thru::sim {

struct SharedTrial {
    /// Each connection's path; all share its rate and queue.
    LinkConfig link;
    struct Flow {
        CongestionControl congestion_control = CongestionControl::Bbr;
        double begins = 0;
        double ends = 1e9;
        /// Delay added to the link's, each way.
        Timestamp delay = 0;
        bool background = false;
        /// Its own path instead of the shared one.
        std::optional<LinkConfig> own_link{};
        /// See BulkTrial.
        std::optional<SavedPath> saved{};
    };
    std::vector<Flow> flows;
    /// Budget of all senders together; null for no limit.
    SendBudget *budget = nullptr;
    double seconds = 60;
    /// Time at which measuring starts.
    double measured_from = 0;
};

struct SharedFigures {
    /// Each connection's share of all received data.
    std::vector<double> shares;
    /// Each connection's rate in bytes per second.
    std::vector<double> rates;
    /// Jain's index: 1 if all received the same, 1/n if one received everything.
    double fairness = 0;
    /// Share of the payload that the rate allows, for all connections together.
    double used = 0;
    /// Mean time in the bottleneck's queue, in round trips.
    double added_delay = 0;
    /// Bytes that each connection sent beyond the necessary ones, divided by the payload.
    std::vector<double> again;
};

SharedFigures measure(const SharedTrial &trial);

} // namespace thru::sim

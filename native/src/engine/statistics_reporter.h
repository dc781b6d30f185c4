// Tells how the connection of a transfer gets on: with its progress, once a second at most, and
// whenever somebody will ask why. Sets no timer: a transfer that waits costs nothing. Network
// thread only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "base/clock.h"
#include "engine/context.h"
#include "engine/events.h"
#include "link/peer_link.h"

namespace thru {

class StatisticsReporter {
public:
    static constexpr Timestamp kInterval = kSecond;

    StatisticsReporter(EngineContext &context, SessionNumber session, std::string peer)
        : context_(context), session_(session), peer_(std::move(peer)) {}

    /// There was progress.
    void on_progress(PeerLink &link, Timestamp now) {
        if (now >= next_) {
            report(link, now);
        }
    }
    /// At once: nothing moves, or the transfer ends.
    void report(PeerLink &link, Timestamp now) {
        next_ = now + kInterval;
        const auto statistics = link.connection().statistics(now);
        const auto passed = passed_bytes(statistics);
        // Between two moments that are too close a rate says nothing.
        if (now >= measured_at_ + kInterval / 4) {
            const auto more = passed - std::min(passed, passed_);
            rate_ = measured_at_ == 0
                        ? 0
                        : static_cast<std::uint64_t>(static_cast<double>(more) *
                                                     static_cast<double>(kSecond) /
                                                     static_cast<double>(now - measured_at_));
            measured_at_ = now;
            passed_ = passed;
        }
        context_.events.push(StatisticsEvent{session_, peer_, statistics, rate_, link.qlog()});
    }

private:
    /// Bytes of packets that got through: those that were acknowledged and those that arrived. The
    /// smaller direction has acknowledgements, mostly.
    static std::uint64_t passed_bytes(const Connection::Statistics &statistics) {
        const auto gone = statistics.bytes_lost + statistics.bytes_in_flight;
        return std::max(statistics.bytes_sent - std::min(statistics.bytes_sent, gone),
                        statistics.bytes_received);
    }

    EngineContext &context_;
    const SessionNumber session_;
    const std::string peer_;
    Timestamp next_ = 0;
    Timestamp measured_at_ = 0;
    std::uint64_t passed_ = 0;
    std::uint64_t rate_ = 0;
};

} // namespace thru

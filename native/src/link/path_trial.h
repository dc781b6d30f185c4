// Which of two paths a receiver goes by: the relay with which its connection began, or the direct
// one that was found beside it. The rate decides, so each is looked at while it carries the
// transfer. Counts in, wishes out: knows no agents, no packets and no clock; LinkPaths has the
// paths. Why it is so: docs/adr/0057-the-rate-decides.md.
#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "link/arrival_rate.h"

namespace thru {

class PathTrial {
public:
    enum class Path : std::uint8_t { Relay, Direct };

    /// A look that brings no rate in this time ends the trial.
    static constexpr Timestamp kMaxLook = 60 * kSecond;
    /// So does a move that takes longer.
    static constexpr Timestamp kMaxMove = 5 * kSecond;
    /// For so long a direct path waits for the relay's rate.
    static constexpr Timestamp kMaxHold = 3 * kSecond;

    /// The connection goes by this path from now on, as it wanted or otherwise. The first move to a
    /// direct path begins a trial.
    void on_move(Path path, const Arrivals &at);
    /// Once in each turn, with what came by the path that is used, and the bytes that are still to
    /// come.
    void update(const Arrivals &at, std::uint64_t awaited);
    /// A direct path was found at `found_at`: whether the relay was looked at for long enough by
    /// `now`, which it is at once when nothing comes by it.
    bool may_begin(Timestamp found_at, Timestamp now) const;
    /// The path to go to, other than the one that is used.
    std::optional<Path> wanted() const { return wanted_; }
    /// No other path is wanted any more: it can't be reached, or was left for another reason.
    void abandon();
    /// Both paths are needed.
    bool under_way() const { return stage_ != Stage::Over; }
    /// While under way: when to call `update` at the latest.
    Timestamp ends_at() const { return ends_at_; }
    /// The last trial was one that the relay has won, and the connection goes by it.
    bool relay_won() const { return relay_won_; }

private:
    enum class Stage : std::uint8_t { Over, LooksAtDirect, LooksAtRelay };

    void look_at_direct(std::uint64_t awaited);
    void look_at_relay();
    void expire();
    void want(Path path);
    void end(Path better);

    Stage stage_ = Stage::Over;
    Path used_ = Path::Relay;
    std::optional<Path> wanted_;
    /// Of the path that is used.
    ArrivalRate rate_;
    /// The last update's.
    Timestamp now_ = 0;
    /// As the last look at each left them, in bytes a second.
    std::optional<double> relay_;
    std::optional<double> direct_;
    Timestamp ends_at_ = kNever;
    bool relay_won_ = false;
};

} // namespace thru

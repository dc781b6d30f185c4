// A limit in bytes a second. No clock and no threads: time comes in as an argument, and a limiter
// and all its shares are used on one thread.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <optional>

#include "base/clock.h"

namespace thru {

/// What a limiter allows that limits nothing, in bytes.
inline constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

class RateShare;

/// Token bucket: it fills at the rate, up to a burst of 20 ms or two datagrams, whichever is more.
/// Counts without rounding, so the rate is exact over time however it is called; a caller later
/// than the burst loses only what no longer fits the bucket.
class RateLimiter {
public:
    /// What one visit to the network should at least carry, in bytes.
    static constexpr std::uint64_t kDatagramBytes = 1452;

    RateLimiter() = default;
    RateLimiter(const RateLimiter &) = delete;
    RateLimiter &operator=(const RateLimiter &) = delete;

    /// Takes effect at once; what was saved under another rate is kept as far as it fits the new
    /// burst. `bytes_per_second`: 0 is no limit, more than 100 GB/s counts as 100 GB/s.
    void set_rate(std::uint64_t bytes_per_second);
    /// In bytes a second, 0 for no limit.
    std::uint64_t rate() const { return rate_; }

    /// Bytes that may go now, kUnlimited without a limit. The last datagram may go over it: it is
    /// paid back before anything else goes.
    std::uint64_t allowed(Timestamp now);
    /// `bytes` went out.
    void spend(std::uint64_t bytes, Timestamp now);
    /// When it is worth asking again: a datagram's worth, or that of 1 ms if that is more, is
    /// allowed then. Not after `now` if it is already.
    Timestamp next(Timestamp now);

private:
    friend class RateShare;

    /// Bytes saved while a second passes, times nanoseconds: whole numbers at every rate.
    using Credit = std::int64_t;

    void refill(Timestamp now);
    Credit burst() const;
    /// A visit's worth and the length of a turn, in bytes.
    std::uint64_t quantum() const;
    /// The first one waiting that owes nothing from its last turn has the next.
    void begin_turn();

    std::uint64_t rate_ = 0;
    Credit credit_ = 0;
    /// When credit_ was right; none before the first call under a rate.
    std::optional<Timestamp> updated_;
    /// Who wants more than there is; the first one's turn it is.
    std::deque<RateShare *> waiting_;
};

/// One of several that use a limiter. As long as more than one of them waits, they take turns of
/// equal size (deficit round robin, Shreedhar and Varghese 1995). Must not outlive the limiter.
class RateShare {
public:
    explicit RateShare(RateLimiter &limiter) : limiter_(limiter) {}
    ~RateShare() { leave(); }
    RateShare(const RateShare &) = delete;
    RateShare &operator=(const RateShare &) = delete;

    /// Bytes this one may send now. Who gets fewer than it wants waits for its turn: it asks again
    /// at `next` or leaves.
    std::uint64_t allowed(Timestamp now);
    void spend(std::uint64_t bytes, Timestamp now);
    /// This one got less than it wants.
    void wait();
    /// This one wants no more for now.
    void leave();
    Timestamp next(Timestamp now) { return limiter_.next(now); }

private:
    friend class RateLimiter;

    bool waits() const;
    bool has_turn() const { return limiter_.waiting_.front() == this; }

    RateLimiter &limiter_;
    /// Bytes left of the turn; below zero what was taken beyond it, at most one turn.
    std::int64_t turn_ = 0;
    Timestamp asked_ = 0;
};

} // namespace thru

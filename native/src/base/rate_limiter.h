// A limit in bytes a second. No clock and no threads: time comes in as an argument, and a limiter
// and all its shares are used on one thread.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/clock.h"

namespace thru {

/// What a limiter allows that limits nothing, in bytes.
inline constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

class RateShare;

/// Token bucket: it fills at the rate, up to a burst of 20 ms or two datagrams (for each share that
/// wants to send), whichever is more.
/// Counts without rounding, so the rate is exact over time however it is called; a caller later
/// than the burst loses only what no longer fits the bucket.
class RateLimiter {
public:
    /// What one visit to the network should at least carry, in bytes.
    static constexpr std::uint64_t kDatagramBytes = 1452;

    RateLimiter() = default;
    RateLimiter(const RateLimiter &) = delete;
    RateLimiter &operator=(const RateLimiter &) = delete;

    /// Takes effect at once; tokens saved under the previous rate are kept as far as they fit the
    /// new burst. `bytes_per_second`: 0 is no limit, more than 100 GB/s counts as 100 GB/s.
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

    /// Billionths of a byte: a rate times nanoseconds, a whole number at every rate.
    using Credit = std::int64_t;

    void refill(Timestamp now);
    /// Hands what is saved to the shares, evenly, each up to its part of the burst.
    void distribute();
    Credit burst() const;
    /// What a share may save up. Half of the burst stays free for what the others leave: shares
    /// that only save must not fill it.
    Credit part() const { return burst() / 2 / static_cast<Credit>(shares_.size()); }
    /// A visit's worth.
    Credit quantum() const;
    /// When `missing` is saved up at the rate divided by `among`.
    Timestamp after(Timestamp now, Credit missing, std::uint64_t among) const;

    std::uint64_t rate_ = 0;
    Credit credit_ = 0;
    /// How much of credit_ belongs to shares; the rest is for whoever comes.
    Credit shared_ = 0;
    /// When credit_ was right; none before the first call under a rate.
    std::optional<Timestamp> updated_;
    /// Those that want to send.
    std::vector<RateShare *> shares_;
};

/// One of several that use a limiter. Those that want to send get equal parts of its rate; what one
/// of them does not use within 10 ms goes to the others (max-min fairness). Must not outlive the
/// limiter.
class RateShare {
public:
    explicit RateShare(RateLimiter &limiter) : limiter_(limiter) {}
    ~RateShare() { leave(); }
    RateShare(const RateShare &) = delete;
    RateShare &operator=(const RateShare &) = delete;

    /// Bytes this one may send now, as RateLimiter::allowed. Asking claims a part until `leave`.
    std::uint64_t allowed(Timestamp now);
    void spend(std::uint64_t bytes, Timestamp now);
    /// When it is worth asking again.
    Timestamp next(Timestamp now);
    /// This one has nothing to send for now.
    void leave();

private:
    friend class RateLimiter;

    bool joined() const;

    RateLimiter &limiter_;
    /// Saved up, or owed when below zero.
    RateLimiter::Credit credit_ = 0;
};

} // namespace thru

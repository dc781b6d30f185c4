// The factor that limits a connection, and the time spent on each. The sending side sets it after
// each flush; it holds until the next one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/clock.h"

namespace thru {

/// The sender can tell these apart when it stops sending.
enum class Bottleneck : std::uint8_t {
    /// This side has nothing to send: its user or its data source has not provided more.
    Application,
    /// The other side must act: it chooses, writes or confirms. A receiver waits for data.
    Peer,
    /// This side's disk: data to send is not read yet, or received data is not written yet.
    Disk,
    /// This side buffers as much unacknowledged data as it may.
    SendBuffer,
    /// The other side gave no credit for more bytes or another stream.
    FlowControl,
    /// The congestion window is full.
    Congestion,
    /// The congestion window has room, but the next burst is not due yet.
    Pacing,
    /// A user's rate limit.
    RateLimit,
    /// The user of either side paused.
    Paused,
    /// This side's system accepted no more datagrams.
    Socket,
    /// Nothing: this thread sends as fast as it can.
    Processor,
};
inline constexpr std::size_t kBottlenecks = 11;

/// Nanoseconds for each Bottleneck.
using BottleneckTimes = std::array<Timestamp, kBottlenecks>;

class BottleneckTimer {
public:
    /// Switches to `next` at `now`, which never decreases. Counting starts with the first call.
    void enter(Bottleneck next, Timestamp now) {
        times_[static_cast<std::size_t>(present_)] += since_ == kNever ? 0 : now - since_;
        present_ = next;
        since_ = now;
    }
    Bottleneck present() const { return present_; }
    BottleneckTimes times(Timestamp now) const {
        auto clock = *this;
        clock.enter(present_, now);
        return clock.times_;
    }

private:
    BottleneckTimes times_{};
    Bottleneck present_ = Bottleneck::Peer;
    Timestamp since_ = kNever;
};

} // namespace thru

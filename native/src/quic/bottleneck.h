// What keeps a connection from carrying more, and for how long each of these did. The sending side
// says so after each flush: until the next one it is taken to be the same.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/clock.h"

namespace thru {

/// Each can be told from the others by what the sender sees when it stops sending.
enum class Bottleneck : std::uint8_t {
    /// This side has nothing to send: its person or its producer has not got so far.
    Application,
    /// The other side's turn: it chooses, writes or confirms; a receiver waits for data.
    Peer,
    /// This side's disk: what is to be sent has not been read, what came has not been written.
    Disk,
    /// As much as this side keeps is on its way and not acknowledged.
    SendBuffer,
    /// The other side gave no credit for more: bytes of the connection or one more stream.
    FlowControl,
    /// The congestion window is full.
    Congestion,
    /// There is room in the congestion window, and it is not time for the next burst yet.
    Pacing,
    /// A limit that a person set.
    RateLimit,
    /// A person on one of the two sides paused.
    Paused,
    /// The system took no more datagrams from this side.
    Socket,
    /// Nothing: this thread sends as fast as it can.
    Processor,
};
inline constexpr std::size_t kBottlenecks = 11;

/// Nanoseconds for each Bottleneck.
using BottleneckTimes = std::array<Timestamp, kBottlenecks>;

class BottleneckClock {
public:
    /// From `now` on it is this one. Counts from the first call on; `now` never goes back.
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

// One way by which datagrams can travel to the other computer: the pair that ICE nominates, a
// direct connection of TCP, the signaling server as a relay. A CarrierSet owns those of a path and
// uses one of them, by the table in path/preference.h. Used on the network thread only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/error.h"
#include "net/address.h"
#include "net/datagram_path.h"
#include "path/preference.h"
#include "path/route.h"

namespace thru {

/// Sizes worth trying where datagrams go through a connection of TCP, which takes any: large ones
/// save CPU.
inline constexpr std::array<std::uint16_t, 2> kStreamDatagramBytes{1452, 8952};

/// A carrier that can also carry beside the pair, where both go through one local network.
class Companion {
public:
    virtual ~Companion() = default;
    /// Carries whenever it is Found from now on, which only connections in the network of `local`
    /// are. The pair leaves from that address of this computer.
    virtual void accompany(const Address &local) = 0;
    /// Datagrams of QUIC came by the pair: the other side may have left this one.
    virtual void on_pair_datagrams(Timestamp now) = 0;
    /// The pair carries alone from now on. Not from within a call of its own.
    virtual void part() = 0;
};

class Carrier {
public:
    Carrier() = default;
    virtual ~Carrier() = default;
    Carrier(const Carrier &) = delete;
    Carrier &operator=(const Carrier &) = delete;

    /// Known once it is Found; until then the best that it may become.
    virtual CarrierKind kind() const = 0;
    virtual CarrierState state() const = 0;
    /// Starts the search, when its row says so.
    virtual void begin() {}
    /// Receiver: it is used from now on. Only when Found.
    virtual void choose() {}
    /// No other one is used any more, or, unless `used`, never this one: it ends. May be called
    /// again.
    virtual void settle(bool used) = 0;
    /// Only when Found, like the next three.
    virtual Route route() const = 0;
    /// Sizes of UDP payload worth trying, in bytes and in this order; see ConnectionSettings.
    virtual std::span<const std::uint16_t> datagram_bytes() const = 0;
    /// The address of this computer that datagrams leave from. Empty: the system chooses it for
    /// each.
    virtual Address local() const = 0;
    /// See DatagramPath::send.
    virtual DatagramPath::Sent send(ByteView bytes, std::size_t segment_bytes, const Way &way) = 0;
    /// The reason why it leads nowhere, if that is worth telling.
    virtual std::optional<Error> failure() const { return std::nullopt; }
    /// Nothing arrives: it may try other ways of its own to the same computer, until `trust`.
    virtual void doubt() {}
    /// Something arrives.
    virtual void trust() {}
    /// Null: it can't carry beside another one.
    virtual Companion *companion() { return nullptr; }
};

/// Takes what carriers report. Calls may settle the carrier, but must not destroy it.
class CarrierListener {
public:
    virtual ~CarrierListener() = default;
    /// Its kind or state may be another one.
    virtual void on_carrier_changed(Carrier &carrier) = 0;
    /// See DatagramListener::on_datagrams; only datagrams of QUIC.
    virtual void on_carrier_datagrams(Carrier &carrier, ByteView bytes, std::size_t segment_bytes,
                                      const Address &from) = 0;
    virtual void on_carrier_writable(Carrier &carrier) = 0;
};

} // namespace thru

// One way for datagrams to reach the other computer: the pair that ICE nominates, a direct TCP
// connection, or the signaling server as a relay. A CarrierSet owns a path's carriers and uses one
// of them according to path/preference.h. Network thread only.
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

/// Sizes worth trying over a TCP connection, which carries any; large ones save CPU.
inline constexpr std::array<std::uint16_t, 2> kStreamDatagramBytes{1452, 8952};

/// A carrier that can also carry data for the pair if both computers are at one site.
class Companion {
public:
    virtual ~Companion() = default;
    /// Carries the pair's data whenever it is Found. `local` and `remote` are the pair's addresses.
    /// Only connections in the network of `local`, or between these two hosts, can become Found.
    virtual void accompany(const Address &local, const Address &remote) = 0;
    /// QUIC datagrams arrived on the pair: the other side may no longer use this carrier.
    virtual void on_pair_datagrams(Timestamp now) = 0;
    /// True once this carrier has lost too much to be better than the pair.
    virtual bool is_lossy(Timestamp now) = 0;
    /// Lets the pair carry alone. Not to be called from this carrier's own calls.
    virtual void part() = 0;
};

class Carrier {
public:
    Carrier() = default;
    virtual ~Carrier() = default;
    Carrier(const Carrier &) = delete;
    Carrier &operator=(const Carrier &) = delete;

    /// The final kind once Found; before that, the best possible one.
    virtual CarrierKind kind() const = 0;
    virtual CarrierState state() const = 0;
    /// Starts the search; called when its preference says so.
    virtual void begin() {}
    /// Receiver: starts to use this carrier, which must be Found.
    virtual void choose() {}
    /// The choice is final. Unless `used`, this carrier ends. May be repeated.
    virtual void settle(bool used) = 0;
    /// Call this and the next three functions only when Found.
    virtual Route route() const = 0;
    /// UDP payload sizes worth trying, in bytes and in this order; see ConnectionSettings.
    virtual std::span<const std::uint16_t> datagram_bytes() const = 0;
    /// The local address of its datagrams. Empty if the system chooses one per datagram.
    virtual Address local() const = 0;
    /// The other end of its datagrams. Empty if `companion` never needs it.
    virtual Address remote() const { return {}; }
    /// See DatagramPath::send.
    virtual DatagramPath::Sent send(ByteView bytes, std::size_t segment_bytes,
                                    const PathId &path_id) = 0;
    /// The reason that it leads nowhere, if it is worth reporting.
    virtual std::optional<Error> failure() const { return std::nullopt; }
    /// No data arrives: the carrier may try other ways to the same computer, until `confirm`.
    virtual void suspect() {}
    /// Data arrives again.
    virtual void confirm() {}
    /// Null if it can't carry data for the pair.
    virtual Companion *companion() { return nullptr; }
};

/// Receives the reports of carriers. Calls may settle the carrier but must not destroy it.
class CarrierListener {
public:
    virtual ~CarrierListener() = default;
    /// Its kind or state may have changed.
    virtual void on_carrier_changed(Carrier &carrier) = 0;
    /// See DatagramListener::on_datagrams; QUIC datagrams only.
    virtual void on_carrier_datagrams(Carrier &carrier, ByteView bytes, std::size_t segment_bytes,
                                      const Address &from) = 0;
    virtual void on_carrier_writable(Carrier &carrier) = 0;
};

} // namespace thru

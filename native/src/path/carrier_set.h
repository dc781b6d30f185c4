// The carriers of one path: owns them, decides by path/preference.h which one is used, and sends
// by it. The receiver chooses, and the sender follows what the receiver's datagrams come by, until
// `settle`. Used on the network thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/error.h"
#include "base/relay_use.h"
#include "loop/event_loop.h"
#include "loop/timeout.h"
#include "net/datagram_path.h"
#include "path/carrier.h"

namespace thru {

class CarrierSet final : public DatagramPath, private CarrierListener {
public:
    class Owner {
    public:
        virtual ~Owner() = default;
        /// Datagrams can be sent; once.
        virtual void on_ready() = 0;
        /// No carrier leads anywhere, and none will; or the one that is used carries no more, for a
        /// reason that people have to know.
        virtual void on_failed() = 0;
    };

    /// `chooses`: for a receiver.
    CarrierSet(EventLoop &loop, Owner &owner, DatagramListener &listener, bool chooses);
    ~CarrierSet() override;
    CarrierSet(const CarrierSet &) = delete;
    CarrierSet &operator=(const CarrierSet &) = delete;

    /// The listener of carriers that are to be added.
    CarrierListener &listener() { return *this; }
    /// The first one is the pair, which is what remains where no other one is used.
    void add(std::unique_ptr<Carrier> carrier);
    /// Ends all of them.
    void clear() { entries_.clear(); }
    void set_relay_use(RelayUse use) { relay_use_ = use; }
    /// Something that decides has changed.
    void reconsider();

    /// Owner::on_ready was called.
    bool ready() const { return ready_; }
    /// One that begins late may still lead somewhere.
    bool has_reserve() const;
    /// The route of the carrier in use. Only when ready, like the next two.
    Route route() const;
    std::span<const std::uint16_t> datagram_bytes() const;
    /// This computer still has the address that datagrams leave from.
    bool has_local_address() const;
    /// The reason why a relay can't be used, if that is worth telling where nothing else works.
    std::optional<Error> failure() const;

    /// The choice is final: what is not used ends, and the pair takes its socket from libnice. Both
    /// ends do it when they like, and may repeat it. `may_accompany`: in a local network a
    /// connection of TCP may carry beside the pair: datagrams that are larger than frames go
    /// through it, and many in a call on every system.
    void settle(bool may_accompany);
    /// Leaves the carrier beside the pair, which may lead nowhere any more. False: there was none.
    bool leave_companion();
    /// The same where it leaves from an address that this computer has no more.
    void leave_companion_if_gone();
    /// Something carries beside the pair at present.
    bool accompanied() const;
    /// See Carrier.
    void doubt() { used().doubt(); }
    void trust() { used().trust(); }

    Sent send(ByteView bytes, std::size_t segment_bytes, const Way &way) override;
    /// Sends by the pair and by the carrier beside it: either may lead nowhere.
    Sent send_last(ByteView datagram, const Way &way) override;

private:
    struct Entry {
        std::unique_ptr<Carrier> carrier;
        Timestamp added_at = 0;
        Timestamp found_at = 0;
    };

    void on_carrier_changed(Carrier &carrier) override;
    void on_carrier_datagrams(Carrier &carrier, ByteView bytes, std::size_t segment_bytes,
                              const Address &from) override;
    void on_carrier_writable(Carrier &carrier) override;

    Carrier &pair() const { return *entries_.front().carrier; }
    Carrier &used() const;
    /// The carrier beside `used()` if there is one, else `used()`.
    Carrier &carrier() const;
    void use(Carrier &carrier);
    void accompany();
    void schedule(Timestamp at, Timestamp now);

    EventLoop &loop_;
    Owner &owner_;
    DatagramListener &listener_;
    bool chooses_;
    RelayUse relay_use_ = RelayUse::Automatic;
    std::vector<Entry> entries_;
    Carrier *chosen_ = nullptr;
    /// Carries beside the pair whenever it is Found.
    Carrier *beside_ = nullptr;
    bool ready_ = false;
    bool failed_ = false;
    bool settled_ = false;
    Timeout timer_;
};

} // namespace thru

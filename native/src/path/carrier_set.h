// Owns the carriers of one path, chooses one by path/preference.h, and sends through it. The
// receiver chooses, and the sender follows its datagrams until `settle`. Both follow a browser to
// WebTransport at any time. Network thread only.
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
        /// Datagrams can be sent; called once.
        virtual void on_ready() = 0;
        /// No carrier leads anywhere or will, or the used one ended for a reason to report.
        virtual void on_failed() = 0;
    };

    /// `chooses` is true for a receiver.
    CarrierSet(EventLoop &loop, Owner &owner, DatagramListener &listener, bool chooses);
    ~CarrierSet() override;
    CarrierSet(const CarrierSet &) = delete;
    CarrierSet &operator=(const CarrierSet &) = delete;

    /// The listener for new carriers.
    CarrierListener &listener() { return *this; }
    /// The first one must be the pair, which is used if no other carrier is.
    void add(std::unique_ptr<Carrier> carrier);
    void clear() { entries_.clear(); }
    void set_relay_use(RelayUse use) { relay_use_ = use; }
    /// The other side has no candidate: carriers that start late start without a wait.
    void expect_no_candidates() { without_candidates_ = true; }
    /// Call this after a change that may affect the choice.
    void reconsider();

    /// True once Owner::on_ready was called.
    bool ready() const { return ready_; }
    /// True if a carrier that starts late may still lead somewhere.
    bool has_reserve() const;
    /// The route of the used carrier. Call this and the next two functions only when ready.
    Route route() const;
    std::span<const std::uint16_t> datagram_bytes() const;
    /// True if this computer still has the local address of its datagrams.
    bool has_local_address() const;
    /// The reason that a relay can't be used, if it is worth reporting when nothing else works.
    std::optional<Error> failure() const;

    /// Makes the choice final: unused carriers end, and the pair takes its socket from libnice.
    /// Each side may do this at any time and repeat it. `may_accompany` lets TCP carry the pair's
    /// data on a local route or within a site. It takes datagrams larger than frames, and many per
    /// call on every system.
    void settle(bool may_accompany);
    /// Stops using the companion, which may be dead. Returns true if it was carrying.
    bool leave_companion();
    /// The same, but only if the companion is too lossy.
    bool leave_lossy_companion(Timestamp now);
    /// The same, but only if this computer no longer has the companion's local address.
    void leave_companion_if_gone();
    /// True while a browser uses WebTransport.
    bool moved() const { return moved_; }
    /// True while the companion carries.
    bool accompanied() const;
    /// See Carrier.
    void suspect() { used().suspect(); }
    void confirm() { used().confirm(); }

    Sent send(ByteView bytes, std::size_t segment_bytes, const PathId &path_id) override;
    /// Sends through both the pair and the companion, because either may be dead.
    Sent send_last(ByteView datagram, const PathId &path_id) override;

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
    /// The companion if it carries, otherwise `used()`.
    Carrier &carrier() const;
    void use(Carrier &carrier);
    void follow_browser(Carrier &carrier);
    void leave_browser();
    void accompany();
    void schedule(Timestamp at, Timestamp now);

    EventLoop &loop_;
    Owner &owner_;
    DatagramListener &listener_;
    bool chooses_;
    RelayUse relay_use_ = RelayUse::Automatic;
    std::vector<Entry> entries_;
    Carrier *chosen_ = nullptr;
    /// The companion, which carries the pair's data whenever it is Found; null without one.
    Carrier *beside_ = nullptr;
    bool ready_ = false;
    bool failed_ = false;
    bool settled_ = false;
    /// A browser has moved to WebTransport; what it sent before may still arrive elsewhere.
    bool moved_ = false;
    bool without_candidates_ = false;
    Timeout timer_;
};

} // namespace thru

#include "path/carrier_set.h"

#include <algorithm>
#include <utility>

#include "net/local_addresses.h"
#include "path/preference.h"

namespace thru {

namespace {

bool is_own(const Address &address) {
    return std::ranges::binary_search(local_addresses(), address_key(*address.get()));
}

} // namespace

CarrierSet::CarrierSet(EventLoop &loop, Owner &owner, DatagramListener &listener, bool chooses)
    : loop_(loop), owner_(owner), listener_(listener), chooses_(chooses) {}

CarrierSet::~CarrierSet() = default;

void CarrierSet::add(std::unique_ptr<Carrier> carrier) {
    entries_.push_back({.carrier = std::move(carrier), .added_at = loop_.now()});
    if (chosen_ == nullptr) {
        chosen_ = entries_.front().carrier.get();
    }
    reconsider();
}

void CarrierSet::on_carrier_changed(Carrier &carrier) {
    const auto failure = carrier.failure();
    if (ready_ && &carrier == chosen_ && carrier.state() == CarrierState::Over && failure &&
        failure->code == ErrorCode::RelayQuota) {
        // QUIC notices all other failures of the used carrier.
        owner_.on_failed();
    } else if (carrier.kind() == CarrierKind::WebTransport &&
               carrier.state() == CarrierState::Found) {
        follow_browser(carrier);
    } else if (moved_ && &carrier == chosen_ && carrier.state() == CarrierState::Over) {
        leave_browser();
    } else {
        reconsider();
    }
}

/// The browser has proved itself to this carrier, so this side follows it at any time.
void CarrierSet::follow_browser(Carrier &carrier) {
    moved_ = true;
    if (ready_) {
        chosen_ = &carrier;
        listener_.on_writable();
    } else {
        use(carrier);
    }
}

/// The browser keeps its relay until it knows that it may leave. The relay may still be searching.
void CarrierSet::leave_browser() {
    moved_ = false;
    const auto relay = std::ranges::find_if(entries_, [](const Entry &entry) {
        return entry.carrier->kind() == CarrierKind::ServerRelay &&
               entry.carrier->state() != CarrierState::Over;
    });
    if (relay == entries_.end()) {
        reconsider();
    } else {
        chosen_ = relay->carrier.get();
        listener_.on_writable();
    }
}

void CarrierSet::reconsider() {
    if (settled_ || (ready_ && chooses_)) {
        return;
    }
    const auto now = loop_.now();
    std::vector<CarrierOffer> offers;
    for (auto &entry : entries_) {
        const auto state = entry.carrier->state();
        if (state != CarrierState::Found) {
            entry.found_at = 0;
        } else if (entry.found_at == 0) {
            entry.found_at = now;
        }
        offers.push_back({.kind = entry.carrier->kind(),
                          .state = state,
                          .added_at = entry.added_at,
                          .found_at = entry.found_at,
                          .alone = without_candidates_});
    }
    const auto decision = decide(offers, chooses_, relay_use_, now);
    if (decision.use && !ready_) {
        use(*entries_[*decision.use].carrier);
        return;
    }
    schedule(decision.again_at, now);
    if (decision.begin) {
        entries_[*decision.begin].carrier->begin();
        reconsider();
    } else if (decision.failed && !ready_ && !std::exchange(failed_, true)) {
        owner_.on_failed();
    }
}

void CarrierSet::schedule(Timestamp at, Timestamp now) {
    if (at == kNever) {
        timer_.stop();
    } else {
        const auto milliseconds = (at - now + kMillisecond - 1) / kMillisecond;
        timer_.start(loop_, static_cast<guint>(milliseconds), [this] { reconsider(); });
    }
}

void CarrierSet::use(Carrier &carrier) {
    chosen_ = &carrier;
    ready_ = true;
    if (chooses_ && !moved_) {
        carrier.choose();
        timer_.stop();
        for (const auto &entry : entries_) {
            const auto &row = preference_of(entry.carrier->kind());
            if (entry.carrier.get() != &carrier && row.begins_after > 0) {
                entry.carrier->settle(false);
            }
        }
    } else {
        reconsider();
    }
    owner_.on_ready();
}

void CarrierSet::on_carrier_datagrams(Carrier &carrier, ByteView bytes, std::size_t segment_bytes,
                                      const Address &from) {
    // No arrival so far is authenticated, so follow the latest one.
    if (!chooses_ && !settled_ && !moved_) {
        chosen_ = &carrier;
        if (!ready_ && !preference_of(carrier.kind()).nominated) {
            use(carrier);
        }
    }
    // A non-empty `from` is an unverified sender.
    if (beside_ != nullptr && &carrier == &pair() && from.empty()) {
        beside_->companion()->on_pair_datagrams(loop_.now());
    }
    if (&carrier == chosen_ || &carrier == &pair() || &carrier == beside_ || moved_) {
        listener_.on_datagrams(bytes, segment_bytes, from);
    }
}

void CarrierSet::on_carrier_writable(Carrier &carrier) {
    if (&carrier == chosen_ || &carrier == beside_) {
        listener_.on_writable();
    }
}

Carrier &CarrierSet::used() const {
    const bool left = !settled_ && chosen_->state() != CarrierState::Found;
    return left ? pair() : *chosen_;
}

bool CarrierSet::accompanied() const {
    return beside_ != nullptr && beside_->state() == CarrierState::Found;
}

Carrier &CarrierSet::carrier() const { return accompanied() ? *beside_ : used(); }

bool CarrierSet::has_reserve() const {
    return std::ranges::any_of(entries_, [](const Entry &entry) {
        return preference_of(entry.carrier->kind()).begins_after > 0 &&
               entry.carrier->state() != CarrierState::Over;
    });
}

Route CarrierSet::route() const { return carrier().route(); }

std::span<const std::uint16_t> CarrierSet::datagram_bytes() const {
    return used().datagram_bytes();
}

bool CarrierSet::has_local_address() const {
    const auto local = used().local();
    return local.empty() || is_own(local);
}

std::optional<Error> CarrierSet::failure() const {
    std::optional<Error> first;
    for (const auto &entry : entries_) {
        auto failure = entry.carrier->failure();
        if (failure && (!first || failure->code == ErrorCode::RelayQuota)) {
            first = std::move(failure);
        }
    }
    return first;
}

void CarrierSet::settle(bool may_accompany) {
    if (!settled_) {
        timer_.stop();
        if (may_accompany) {
            accompany();
        }
        chosen_ = &used();
        settled_ = true;
    }
    for (const auto &entry : entries_) {
        // A browser leaves its relay itself, once it knows that this side has followed it.
        const bool left_to_browser = moved_ && entry.carrier->kind() == CarrierKind::ServerRelay &&
                                     entry.carrier->state() == CarrierState::Found;
        if (entry.carrier.get() != beside_ && !left_to_browser) {
            entry.carrier->settle(entry.carrier.get() == chosen_);
        }
    }
}

/// Applies only if the pair's route is short, and the receiver did not choose TCP alone.
void CarrierSet::accompany() {
    const auto companion = std::ranges::find_if(
        entries_, [](const Entry &entry) { return entry.carrier->companion() != nullptr; });
    if (companion == entries_.end() || pair().state() != CarrierState::Found ||
        pair().kind() != CarrierKind::DirectUdp || !pair().route().may_be_near()) {
        return;
    }
    auto *carrier = companion->carrier.get();
    if (chosen_ == &pair() || (chosen_ == carrier && !chooses_)) {
        chosen_ = &pair();
        beside_ = carrier;
        carrier->companion()->accompany(pair().local(), pair().remote());
    }
}

bool CarrierSet::leave_companion() {
    const bool carried = accompanied();
    if (beside_ != nullptr) {
        beside_->companion()->part();
    }
    return carried;
}

bool CarrierSet::leave_lossy_companion(Timestamp now) {
    return accompanied() && beside_->companion()->is_lossy(now) && leave_companion();
}

void CarrierSet::leave_companion_if_gone() {
    if (accompanied() && !is_own(beside_->local())) {
        beside_->companion()->part();
    }
}

DatagramPath::Sent CarrierSet::send(ByteView bytes, std::size_t segment_bytes,
                                    const PathId &path_id) {
    // Datagrams to an address other than the pair's are probes of the other side.
    auto &by = path_id.remote.empty() ? carrier() : used();
    return by.send(bytes, segment_bytes, path_id);
}

DatagramPath::Sent CarrierSet::send_last(ByteView datagram, const PathId &path_id) {
    if (accompanied()) {
        beside_->send(datagram, datagram.size(), path_id);
    }
    return used().send(datagram, datagram.size(), path_id);
}

} // namespace thru

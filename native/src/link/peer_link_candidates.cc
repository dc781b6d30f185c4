// What a link knows of ways to the other computer: candidates of both sides, relays, and why there
// is none.
#include <utility>

#include "link/peer_link.h"
#include "pairing/ice_candidate.h"

namespace thru {

namespace {

/// TURN servers once, and a detour once (docs/signaling.md#grant).
constexpr std::size_t kEarlyRelays = 2;

} // namespace

void PeerLink::on(const RemoteCandidate &candidate) {
    candidate_kinds_.theirs(candidate.line);
    path().add_remote_candidate(candidate.line);
}

void PeerLink::on(const NamedCandidate &candidate) {
    if (over() || ice_.relay_use == RelayUse::Only) {
        return;
    }
    ++unanswered_names_;
    context_.names.ask(session_, candidate.line, *this);
}

void PeerLink::add_named(std::string_view line, const std::optional<std::string> &address) {
    --unanswered_names_;
    if (address) {
        auto known = with_address(line, *address);
        if (check_candidate(known) == CandidateCheck::Usable) {
            on(RemoteCandidate{std::move(known)});
        }
    }
    end_remote_candidates();
}

Route PeerLink::route() const {
    auto route = paths_.current().carriers().route();
    if (route.kind == Route::Kind::Relay) {
        route.why = candidate_kinds_.why(ice_.relay_use, route.tcp && asks_udp_);
    }
    return route;
}

void PeerLink::on(const RemoteCandidatesDone &) {
    peer_is_done_ = true;
    end_remote_candidates();
}

void PeerLink::end_remote_candidates() {
    if (peer_is_done_ && unanswered_names_ == 0) {
        path().remote_candidates_done();
    }
}

/// The other side is known now, and so is what it makes of relays. A receiver has gathered before,
/// but asked no relay: its checks would come from an address that a sender without relays could not
/// tell from a direct one, and to take them back it would have to change the sockets that the
/// sender's checks may have reached.
Result<> PeerLink::gather() {
    if (peer_->relay_use == RelayUse::Never && ice_.relay_use == RelayUse::Automatic) {
        path().refuse_relays();
    }
    if (role_ == LinkRole::Sender) {
        return path().gather();
    }
    if (ice_.relay_use == RelayUse::Automatic) {
        ask_relays(ice_.turn);
    }
    return {};
}

bool PeerLink::relays_opposed() const {
    const auto own = ice_.relay_use;
    const auto theirs = peer_ ? peer_->relay_use : RelayUse::Automatic;
    return (own == RelayUse::Only && theirs == RelayUse::Never) ||
           (own == RelayUse::Never && theirs == RelayUse::Only);
}

void PeerLink::add_relays(const std::vector<TurnServer> &servers) {
    if (stage_ == Stage::Pairing && early_relays_.size() < kEarlyRelays) {
        early_relays_.push_back(servers);
    }
    if (stage_ != Stage::Routing) {
        return;
    }
    // A detour has no candidates, and comes by itself.
    if (servers.size() == 1 && !servers.front().path.empty()) {
        path().add_relay(servers.front());
        return;
    }
    if (candidates_ == Candidates::Complete) {
        return;
    }
    relays_until_ = context_.loop.now();
    ask_relays(servers);
}

void PeerLink::ask_relays(const std::vector<TurnServer> &servers) {
    const auto before = std::exchange(candidates_, Candidates::Gathering);
    bool added = false;
    for (const auto &server : servers) {
        added = path().add_relay(server) || added;
    }
    // The end of their gathering follows, if there is any.
    if (!added) {
        candidates_ = before;
    }
}

void PeerLink::add_mapping(const UdpPort &port, const std::optional<UdpPort> &mapped) {
    if (unanswered_ports_ == 0) {
        return;
    }
    --unanswered_ports_;
    task_->wake();
    if (mapped) {
        on_local_candidate(mapped_candidate(port, *mapped));
    }
}

void PeerLink::on_local_candidate(std::string_view line) {
    if (over()) {
        return;
    }
    candidate_kinds_.own(line);
    pairing_->send_candidate(line);
    send_payloads();
    if (const auto port = port_behind_router(line); port && ice_.relay_use != RelayUse::Only) {
        ++unanswered_ports_;
        context_.ports.open(session_, *port, *this);
    }
}

void PeerLink::on_local_candidates_done() {
    task_->wake();
    if (candidates_ == Candidates::Gathering) {
        candidates_ = Candidates::Gathered;
    }
}

void PeerLink::send_candidates_done(Timestamp now) {
    if (candidates_ == Candidates::Gathered && candidates_until() <= now) {
        candidates_ = Candidates::Complete;
        pairing_->send_candidates_done();
        send_payloads();
    }
}

/// Where only relays are used, and neither a person nor the server has named one that works.
void PeerLink::demand_relay(Timestamp now) {
    if (candidates_ != Candidates::Complete || now < relay_needed_from_) {
        return;
    }
    relay_needed_from_ = kNever;
    if (!candidate_kinds_.own_relay() && !path().carriers().has_reserve()) {
        close(without_route("no relay was named, or none works"), now);
    }
}

void PeerLink::on_ice_failed() {
    task_->wake();
    // A relay that the connection has left is of no concern any more.
    if (stage_ < Stage::Connected || path().carriers().failure()) {
        fail_link(without_route("no ICE candidate pair works"));
    }
}

/// A relay that can't be believed, or carries no more, is what a person can do something about.
Error PeerLink::without_route(std::string detail) const {
    const auto relay = paths_.current().carriers().failure();
    if (relay &&
        (relay->code == ErrorCode::RelayIdentity || relay->code == ErrorCode::RelayQuota)) {
        return *relay;
    }
    ErrorCode code = ErrorCode::NoRoute;
    if (ice_.relay_use == RelayUse::Never) {
        code = ErrorCode::NotDirect;
    } else if (ice_.relay_use == RelayUse::Only && !candidate_kinds_.own_relay() &&
               !relays_opposed()) {
        code = ErrorCode::NoRelay;
    }
    return {code, 0, relay ? std::move(detail) + "; " + relay->detail : detail};
}

} // namespace thru

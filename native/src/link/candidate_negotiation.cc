#include "link/candidate_negotiation.h"

#include <algorithm>
#include <utility>

#include "link/web_transport.h"
#include "pairing/ice_candidate.h"

namespace thru {

namespace {

/// TURN servers once and a server relay once (docs/signaling.md#grant).
constexpr std::size_t kEarlyRelays = 2;
/// Maximum wait for relays from the server after the proof, and for mappings from a router.
constexpr Timestamp kCandidatesTimeout = 3 * kSecond;

} // namespace

CandidateNegotiation::CandidateNegotiation(LinkContext &context, SessionNumber session,
                                           LinkRole role, const IceServers &ice, LinkPaths &paths,
                                           CandidateListener &listener)
    : context_(context), session_(session), role_(role), ice_(ice), paths_(paths),
      listener_(listener),
      asks_udp_(!ice.stun.empty() ||
                std::ranges::any_of(ice.turn, [](const TurnServer &each) { return !each.tcp; })) {}

CandidateNegotiation::~CandidateNegotiation() {
    close_ports();
    close_names();
}

/// A receiver has gathered earlier, but without relays. A sender that refuses relays could not
/// distinguish a check through one from a direct check. Withdrawing the relay's candidates would
/// mean replacing sockets that the sender's checks may have reached.
Result<> CandidateNegotiation::begin(RelayUse theirs, Timestamp now) {
    theirs_ = theirs;
    relays_until_ = now + kCandidatesTimeout;
    mappings_until_ = now + kCandidatesTimeout;
    if (ice_.relay_use == RelayUse::Only) {
        relay_needed_from_ = now + kCandidatesTimeout;
    }
    if (theirs == RelayUse::Never && ice_.relay_use == RelayUse::Automatic) {
        path().refuse_relays();
    }
    if (theirs == RelayUse::Only) {
        path().expect_relays();
    }
    if (role_ == LinkRole::Sender) {
        return path().gather();
    }
    if (ice_.relay_use == RelayUse::Automatic) {
        ask_relays(ice_.turn);
    }
    return {};
}

bool CandidateNegotiation::relays_opposed() const {
    return (ice_.relay_use == RelayUse::Only && theirs_ == RelayUse::Never) ||
           (ice_.relay_use == RelayUse::Never && theirs_ == RelayUse::Only);
}

Result<> CandidateNegotiation::use_early_relays() {
    if (relays_opposed()) {
        return std::unexpected(without_route("one side uses only relays, and the other one none"));
    }
    for (const auto &servers : std::exchange(early_relays_, {})) {
        add_relays(servers);
    }
    return {};
}

void CandidateNegotiation::add_relays(const std::vector<TurnServer> &servers) {
    if (!theirs_) {
        if (early_relays_.size() < kEarlyRelays) {
            early_relays_.push_back(servers);
        }
        return;
    }
    // A server relay has no candidates and starts automatically.
    if (servers.size() == 1 && !servers.front().path.empty()) {
        path().add_relay(servers.front());
        has_secure_relay_ = servers.front().tls;
        listen_for_page();
    } else if (own_ != Own::Complete) {
        relays_until_ = context_.loop.now();
        ask_relays(servers);
    }
}

void CandidateNegotiation::ask_relays(const std::vector<TurnServer> &servers) {
    const auto before = std::exchange(own_, Own::Gathering);
    bool added = false;
    for (const auto &server : servers) {
        added = path().add_relay(server) || added;
    }
    // Gathering ends later, unless no relay was added.
    if (!added) {
        own_ = before;
    }
}

void CandidateNegotiation::add_own(std::string_view line) {
    kinds_.own(line);
    listener_.on_candidate(line);
    if (const auto port = port_behind_router(line); port && ice_.relay_use != RelayUse::Only) {
        ++unanswered_ports_;
        context_.ports.open(session_, *port, *this);
    }
}

void CandidateNegotiation::on_gathered() {
    if (own_ == Own::Gathering) {
        own_ = Own::Gathered;
    }
}

void CandidateNegotiation::add_mapping(const UdpPort &port, const std::optional<UdpPort> &mapped) {
    if (unanswered_ports_ == 0) {
        return;
    }
    --unanswered_ports_;
    listener_.on_candidates_changed();
    if (mapped) {
        add_own(mapped_candidate(port, *mapped));
    }
}

void CandidateNegotiation::add_theirs(std::string_view line) {
    has_theirs_ = true;
    kinds_.theirs(line);
    path().add_remote_candidate(line);
}

void CandidateNegotiation::ask_name(std::string_view line) {
    if (ice_.relay_use != RelayUse::Only) {
        ++unanswered_names_;
        context_.names.ask(session_, std::string(line), *this);
    }
}

void CandidateNegotiation::add_named(std::string_view line,
                                     const std::optional<std::string> &address) {
    --unanswered_names_;
    if (address) {
        const auto known = with_address(line, *address);
        if (check_candidate(known) == CandidateCheck::Usable) {
            add_theirs(known);
        }
    }
    end_theirs();
}

void CandidateNegotiation::on_theirs_done() {
    theirs_done_ = true;
    end_theirs();
}

/// Informs the agent once all names are answered.
void CandidateNegotiation::end_theirs() {
    if (theirs_done_ && unanswered_names_ == 0) {
        path().remote_candidates_done();
        listen_for_page();
    }
}

/// Pages have no candidates, and don't restrict relays. Those of a server on the internet come by
/// TLS, without which browsers have no WebTransport.
void CandidateNegotiation::listen_for_page() {
    if (!theirs_done_ || has_theirs_ || !has_secure_relay_ || own_ == Own::Complete ||
        ice_.relay_use == RelayUse::Only || theirs_ == RelayUse::Only ||
        std::exchange(listens_for_page_, true)) {
        return;
    }
    auto opened = WebTransport::open(context_.loop, path().carriers().listener(), path().hosts(),
                                     context_.transport.sockets());
    if (!opened) {
        return;
    }
    for (const auto &line : (*opened)->candidates()) {
        add_own(line);
    }
    path().carriers().add(*std::move(opened));
}

Result<> CandidateNegotiation::on_deadline(Timestamp now) {
    if (own_ == Own::Gathered && own_until() <= now) {
        own_ = Own::Complete;
        listener_.on_candidates_done();
    }
    if (own_ != Own::Complete || now < relay_needed_from_) {
        return {};
    }
    // Neither a person nor the server has named a working relay.
    relay_needed_from_ = kNever;
    if (!kinds_.own_relay() && !path().carriers().has_reserve()) {
        return std::unexpected(without_route("no relay was named, or none works"));
    }
    return {};
}

Timestamp CandidateNegotiation::deadline() const {
    return own_ == Own::Gathered   ? own_until()
           : own_ == Own::Complete ? relay_needed_from_
                                   : kNever;
}

RelayReason CandidateNegotiation::why_relayed(bool by_tcp) const {
    return kinds_.why(ice_.relay_use, by_tcp && asks_udp_);
}

Error CandidateNegotiation::without_route(std::string detail) const {
    const auto relay = paths_.current().carriers().failure();
    if (relay &&
        (relay->code == ErrorCode::RelayIdentity || relay->code == ErrorCode::RelayQuota)) {
        return *relay;
    }
    ErrorCode code = ErrorCode::NoRoute;
    if (ice_.relay_use == RelayUse::Never) {
        code = ErrorCode::NotDirect;
    } else if (ice_.relay_use == RelayUse::Only && !kinds_.own_relay() && !relays_opposed()) {
        code = ErrorCode::NoRelay;
    }
    return {code, 0, relay ? std::move(detail) + "; " + relay->detail : detail};
}

} // namespace thru

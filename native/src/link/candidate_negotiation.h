// Collects the candidates of both sides, with mapped ports, mDNS names and relays, and decides when
// that ends. Also knows the reason if no route was found. Network thread only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "link/link_binding.h"
#include "link/link_context.h"
#include "link/link_paths.h"
#include "path/ice_servers.h"
#include "path/relay/relay_reason.h"

namespace thru {

class CandidateListener {
public:
    virtual ~CandidateListener() = default;
    /// An SDP line (RFC 8839 section 5.1) for the other side.
    virtual void on_candidate(std::string_view line) = 0;
    virtual void on_candidates_done() = 0;
    /// `CandidateNegotiation::deadline` may have changed.
    virtual void on_candidates_changed() = 0;
};

class CandidateNegotiation {
public:
    /// `session` is the link's, for events. `paths` must outlive this object.
    CandidateNegotiation(LinkContext &context, SessionNumber session, LinkRole role,
                         const IceServers &ice, LinkPaths &paths, CandidateListener &listener);
    CandidateNegotiation(const CandidateNegotiation &) = delete;
    CandidateNegotiation &operator=(const CandidateNegotiation &) = delete;
    ~CandidateNegotiation();

    /// The other side and its use of relays are now known.
    Result<> begin(RelayUse theirs, Timestamp now);
    /// Uses relays named before `begin`. NoRoute if one side uses only relays and the other none.
    Result<> use_early_relays();
    /// Takes TURN servers or a server relay from the signaling server. Before `begin` they wait.
    void add_relays(const std::vector<TurnServer> &servers);

    /// Takes a candidate found by this side's agent.
    void add_own(std::string_view line);
    void on_gathered();
    /// A router maps a port of this side to `mapped`, or none if empty.
    void add_mapping(const UdpPort &port, const std::optional<UdpPort> &mapped);

    void add_theirs(std::string_view line);
    /// Takes a candidate with an mDNS name.
    void ask_name(std::string_view line);
    /// Takes the answer: the address of the name, if it has one.
    void add_named(std::string_view line, const std::optional<std::string> &address);
    void on_theirs_done();

    /// Ends gathering when due. Returns an error if this side must use a relay and has none.
    Result<> on_deadline(Timestamp now);
    Timestamp deadline() const;
    /// Drops pending questions about names.
    void close_names() { context_.names.close(*this); }
    /// Ends the mapping of ports by routers.
    void close_ports() { context_.ports.close(*this); }

    /// The reason for a relayed route. `by_tcp` is true if the relay is reached over TCP.
    RelayReason why_relayed(bool by_tcp) const;
    /// The error when there is no route: a relay's own error if people can fix it.
    Error without_route(std::string detail) const;

private:
    enum class Own : std::uint8_t {
        Gathering,
        /// Candidates are gathered; relays may still be added.
        Gathered,
        /// The other side knows that no more follow.
        Complete,
    };

    IcePath &path() { return paths_.current(); }
    void ask_relays(const std::vector<TurnServer> &servers);
    bool relays_opposed() const;
    void end_theirs();
    /// Listens for the other side if it is a web page that a server on the internet shows.
    void listen_for_page();
    /// Time until which further candidates of this side are awaited.
    Timestamp own_until() const {
        return unanswered_ports_ == 0 ? relays_until_ : std::max(relays_until_, mappings_until_);
    }

    LinkContext &context_;
    SessionNumber session_;
    LinkRole role_;
    IceServers ice_;
    LinkPaths &paths_;
    CandidateListener &listener_;
    /// True if a server was queried over UDP.
    bool asks_udp_;
    CandidateKinds kinds_;
    Own own_ = Own::Gathering;
    /// The other side's use of relays; set by `begin`.
    std::optional<RelayUse> theirs_;
    /// Set by `begin`: time limits for relays, and for routers while a port is unanswered.
    Timestamp relays_until_ = kNever;
    Timestamp mappings_until_ = kNever;
    std::size_t unanswered_ports_ = 0;
    bool theirs_done_ = false;
    bool has_theirs_ = false;
    /// The server named a server relay of its own behind TLS.
    bool has_secure_relay_ = false;
    bool listens_for_page_ = false;
    std::size_t unanswered_names_ = 0;
    std::vector<std::vector<TurnServer>> early_relays_;
    /// Time from which a missing relay is an error, if only relays are used.
    Timestamp relay_needed_from_ = kNever;
};

} // namespace thru

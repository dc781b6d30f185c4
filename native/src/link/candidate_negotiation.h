// The negotiation of ways between two computers, and when it ends: the candidates of
// both, ports that routers map, names of mDNS and relays. It also knows why no way was found.
// Network thread only.
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
    /// The other side gets no more of them.
    virtual void on_candidates_done() = 0;
    /// `CandidateNegotiation::deadline` may be another one.
    virtual void on_candidates_changed() = 0;
};

class CandidateNegotiation {
public:
    /// `session` is that of the link, for events. `paths` outlives this.
    CandidateNegotiation(LinkContext &context, SessionNumber session, LinkRole role,
                         const IceServers &ice, LinkPaths &paths, CandidateListener &listener);
    CandidateNegotiation(const CandidateNegotiation &) = delete;
    CandidateNegotiation &operator=(const CandidateNegotiation &) = delete;
    ~CandidateNegotiation();

    /// The other side is known now, and its use of relays.
    Result<> begin(RelayUse theirs, Timestamp now);
    /// After `begin`: uses the relays that came before. NoRoute when one side uses only relays, and
    /// the other one none.
    Result<> use_early_relays();
    /// TURN servers or a detour, from the signaling server. Those that come before `begin` wait.
    void add_relays(const std::vector<TurnServer> &servers);

    /// The agent of this side has found a candidate.
    void add_own(std::string_view line);
    /// It has found all.
    void on_gathered();
    /// A router maps a port of this side to `mapped`, or maps none.
    void add_mapping(const UdpPort &port, const std::optional<UdpPort> &mapped);

    /// A candidate of the other side.
    void add_theirs(std::string_view line);
    /// One with a name of mDNS.
    void ask_name(std::string_view line);
    /// The answer: the address behind the name, or that there is none.
    void add_named(std::string_view line, const std::optional<std::string> &address);
    /// The other side has no more.
    void on_theirs_done();

    /// Says what is due. An error when this side has to use a relay and there is none.
    Result<> on_deadline(Timestamp now);
    Timestamp deadline() const;
    /// Answers about names are of no use any more.
    void close_names() { context_.names.close(*this); }
    /// Routers need not map ports any more.
    void close_ports() { context_.ports.close(*this); }

    /// The reason for a relayed route. `by_tcp`: to the relay.
    RelayReason why_relayed(bool by_tcp) const;
    /// No way leads to the other side. A relay that failed in a way that people can do something
    /// about is the reason.
    Error without_route(std::string detail) const;

private:
    /// The state of this side's candidates.
    enum class Own : std::uint8_t {
        Gathering,
        /// They are gathered, and relays may still be added.
        Gathered,
        /// The other side knows that there are no more.
        Complete,
    };

    IcePath &path() { return paths_.current(); }
    void ask_relays(const std::vector<TurnServer> &servers);
    bool relays_opposed() const;
    void end_theirs();
    /// Further candidates of this side are waited for until then.
    Timestamp own_until() const {
        return unanswered_ports_ == 0 ? relays_until_ : std::max(relays_until_, mappings_until_);
    }

    LinkContext &context_;
    SessionNumber session_;
    LinkRole role_;
    IceServers ice_;
    LinkPaths &paths_;
    CandidateListener &listener_;
    /// Something was asked over UDP.
    bool asks_udp_;
    CandidateKinds kinds_;
    Own own_ = Own::Gathering;
    /// The other side's use of relays, from `begin` on.
    std::optional<RelayUse> theirs_;
    /// From `begin` on: how long relays are waited for, and routers as long as a port is
    /// unanswered.
    Timestamp relays_until_ = kNever;
    Timestamp mappings_until_ = kNever;
    std::size_t unanswered_ports_ = 0;
    bool theirs_done_ = false;
    std::size_t unanswered_names_ = 0;
    std::vector<std::vector<TurnServer>> early_relays_;
    /// Time from which having no relay is an error, where only relays are used.
    Timestamp relay_needed_from_ = kNever;
};

} // namespace thru

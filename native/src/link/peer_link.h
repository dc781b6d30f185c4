// The link to one other computer: pairing, then ICE, then QUIC, bound to each other. Owns them,
// hands bytes up. Network thread only.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "crypto/identity.h"
#include "link/candidate_negotiation.h"
#include "link/early_data.h"
#include "link/link_binding.h"
#include "link/link_context.h"
#include "link/link_paths.h"
#include "link/scheduler.h"
#include "pairing/pairing.h"
#include "path/ice_path.h"
#include "quic/connection.h"

namespace thru {

/// Events of a link for its session. Calls must not destroy the link.
class PeerLinkListener {
public:
    virtual ~PeerLinkListener() = default;
    /// For the signaling server.
    virtual void on_payload(std::string payload) = 0;
    /// The other side knows the secret.
    virtual void on_paired() = 0;
    /// The connection is bound to the pairing: streams can be opened, the control stream is.
    virtual void on_connected() = 0;
    /// A message for the other side, by the control stream. Only after on_connected, like the next
    /// one.
    virtual void on_find_path(FindPath message) = 0;
    /// `PeerLink::route` is another one, mostly because the connection goes by another path now.
    virtual void on_route_changed() = 0;
    virtual void on_stream_data(StreamId stream, ByteView bytes, bool fin) = 0;
    virtual void on_stream_reset(StreamId stream) = 0;
    virtual void on_stream_closed(StreamId stream) = 0;
};

class PeerLink final : private IceListener,
                       private LinkPathsListener,
                       private CandidateListener,
                       private ConnectionListener {
public:
    struct Options {
        /// Whose it is, for events that the link itself gives.
        SessionNumber session = 0;
        LinkRole role = LinkRole::Sender;
        std::string nameplate;
        std::shared_ptr<const Identity> identity;
        std::string name;
        IceServers ice;
        /// Receiver: as in Pairing::receiver.
        std::optional<GuessId> earlier_guess{};
    };
    /// A receiver's link begins to pair at once.
    struct Credentials {
        PairingSecret secret;
        /// With PairingSecret::Kind::Contact.
        std::optional<ContactProof> contact;
    };
    /// `credentials` are the receiver's; a sender admits.
    /// Wakes `task`, which outlives the link, when something arrives that `service` has to look at.
    static Result<std::unique_ptr<PeerLink>> create(LinkContext &context, Scheduler::Task &task,
                                                    const Options &options,
                                                    std::optional<Credentials> credentials,
                                                    PeerLinkListener &listener, Timestamp now);
    ~PeerLink() override;

    void on_signal(std::string_view payload);
    /// Sender: a receiver asks to be admitted; once. Answered by admit or refuse within a minute.
    std::optional<PairingRequested> take_request() { return std::exchange(request_, {}); }
    void admit(Credentials credentials, Timestamp now);
    /// Also after admit, as long as the other side has proved nothing.
    void refuse(ErrorCode code);
    /// TURN servers that the other side's proof was worth, or a detour. At a receiver they may come
    /// before the sender's proof, and are used after it.
    void add_relays(const std::vector<TurnServer> &servers) {
        if (stage_ <= Stage::Routing) {
            candidates_.add_relays(servers);
        }
    }
    /// What the other side said by the control stream. PeerProtocol when it breaks the rules.
    Result<> on_find_path(const FindPath &find, Timestamp now) {
        return over() ? Result<>{} : paths_.on_find_path(find, *connection_, now);
    }

    /// Timers and sending; once in each turn.
    void service(Timestamp now);
    Timestamp deadline() const;
    /// Another task services it from now on, at once.
    void hand_over(Scheduler::Task &task);
    /// As Connection::on_wake.
    void on_wake(Timestamp slept, Timestamp now);
    /// This computer has other addresses than before.
    void on_network_change(Timestamp now);
    /// As Connection::on_suspicion.
    void on_suspicion(Timestamp now);
    /// Of a connection that was there: the other side does not answer at present.
    bool silent() const { return stage_ == Stage::Connected && connection_->silent(); }

    /// As Pairing::guess.
    const std::optional<GuessId> &guess() const { return pairing_->guess(); }
    /// The other side proved that it knows the secret.
    bool paired() const { return peer_.has_value(); }
    /// Only when paired.
    const PairingKeys &keys() const { return pairing_->keys(); }
    /// Only after on_connected.
    Connection &connection() { return *connection_; }
    Route route() const;
    /// How far the connection's qlog is, if it has one.
    std::optional<QlogFile::Status> qlog() const {
        return qlog_ ? std::optional(qlog_->status()) : std::nullopt;
    }
    /// Exporter value with the pairing's transcript; only after on_connected.
    Result<SecretKey> exported(std::string_view label) const {
        return connection_->exported(label, keys().transcript);
    }

    /// Ends the link and informs the other side when possible.
    void close(const std::optional<Error> &error, Timestamp now);
    /// Set once the link is over; without an error when it ended in good order.
    const std::optional<Closed> &closed() const { return closed_; }
    /// Until when a closed link still has to be serviced, so that the other side learns why; 0 when
    /// it has nothing to say. A closed link calls its listener no more.
    Timestamp lingers_until() const;

private:
    /// One after the other; none comes back, and the last two can follow any other.
    enum class Stage : std::uint8_t {
        /// The other side has not proved that it knows the secret. The receiver may already have a
        /// route and a connection, which it does not use yet.
        Pairing,
        /// ICE looks for a route.
        Routing,
        /// The QUIC handshake is under way.
        Handshake,
        /// The connection is there, and not bound to the pairing yet.
        Binding,
        /// Streams are the listener's.
        Connected,
        /// Over, and the other side is still to be told.
        Closing,
        Closed,
    };

    PeerLink(LinkContext &context, Scheduler::Task &task, const Options &options,
             PeerLinkListener &listener, Timestamp now);

    void on_local_candidate(std::string_view line) override {
        if (!over()) {
            candidates_.add_own(line);
        }
    }
    void on_local_candidates_done() override {
        task_->wake();
        candidates_.on_gathered();
    }
    void on_ice_ready() override;
    void on_ice_failed() override;
    void on_datagrams(ByteView bytes, std::size_t segment_bytes, const Address &from) override;
    void on_writable() override { task_->wake(); }
    void on_path_datagrams(ByteView bytes, std::size_t segment_bytes, const Way &from) override;
    void on_path_event() override { task_->wake(); }
    void on_first_path_over() override { candidates_.close_ports(); }
    void on_candidate(std::string_view line) override;
    void on_candidates_done() override;
    void on_candidates_changed() override { task_->wake(); }
    void on_established() override;
    void on_stream_data(StreamId stream, ByteView bytes, bool fin) override;
    void on_stream_reset(StreamId stream) override;
    void on_stream_closed(StreamId stream) override;

    // One for each event of the pairing.
    void on(const PairingRequested &requested);
    void on(const PairingKeyed &keyed);
    void on(const PairingProven &proven);
    void on(const RemoteCandidate &candidate) { candidates_.add_theirs(candidate.line); }
    void on(const NamedCandidate &candidate) {
        if (!over()) {
            candidates_.ask_name(candidate.line);
        }
    }
    void on(const RemoteCandidatesDone &) { candidates_.on_theirs_done(); }

    IcePath &path() { return paths_.current(); }
    bool over() const { return stage_ >= Stage::Closing; }
    void enter(Stage next);
    void end(Stage next, Closed how);
    void bind();
    void judge_companion(Timestamp now);
    void watch_path(Timestamp now);
    void find_path(Timestamp now);
    void send_payloads();
    void announce();
    void fail_link(Error error);
    void send_close(Timestamp now);

    LinkContext &context_;
    Scheduler::Task *task_;
    PeerLinkListener &listener_;
    LinkRole role_;
    std::shared_ptr<const Identity> identity_;
    std::optional<ContactProof> contact_;
    LinkPaths paths_;
    CandidateNegotiation candidates_;
    std::optional<Pairing> pairing_;
    std::optional<PairingRequested> request_;
    /// Known with the keys; the fingerprint is confirmed by the proof.
    std::optional<PairingKeyed> keyed_;
    /// Once it has proved that it knows the secret.
    std::optional<PeerDescription> peer_;
    Stage stage_ = Stage::Pairing;
    /// When waiting for the other side, or for a route, is given up.
    Timestamp give_up_;
    std::shared_ptr<QlogFile> qlog_;
    std::unique_ptr<Connection> connection_;
    std::optional<LinkBinding> binding_;
    /// How the last flush ended, and when.
    FlushOutcome flushed_ = FlushOutcome::Idle;
    bool was_silent_ = false;
    /// The listener knows of a connection of TCP beside the pair.
    bool accompanied_ = false;
    Timestamp judge_companion_at_ = kNever;
    Timestamp flushed_at_ = 0;
    /// The client may be ready a moment before this end: its first datagrams wait here.
    std::vector<Bytes> early_;
    /// What came on streams before the other side was bound waits here.
    EarlyData unbound_;
    /// From Stage::Closing on.
    std::optional<Closed> closed_;
};

} // namespace thru

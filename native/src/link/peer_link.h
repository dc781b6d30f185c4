// The link to one other computer: pairing, ICE and QUIC, bound to each other. Network thread only.
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
#include "link/companion_judge.h"
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
    /// A payload for the signaling server.
    virtual void on_payload(std::string payload) = 0;
    /// The other side has proved that it knows the secret.
    virtual void on_paired() = 0;
    /// Receiver: the control stream is open. What is written there travels with BIND, a round trip
    /// before on_connected.
    virtual void on_opened() {}
    /// The connection is bound to the pairing: the control stream is open, others may be.
    virtual void on_connected() = 0;
    /// A message for the control stream. Called only after on_connected, like the next one.
    virtual void on_find_path(FindPath message) = 0;
    /// `PeerLink::route` has changed, usually because the connection uses another path.
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
        /// The session in the link's own events.
        SessionNumber session = 0;
        LinkRole role = LinkRole::Sender;
        std::string nameplate;
        std::shared_ptr<const Identity> identity;
        std::string name;
        IceServers ice;
        /// Receiver: see Pairing::receiver.
        std::optional<GuessId> earlier_guess{};
    };
    /// The secret of a pairing. A receiver's link begins to pair with it immediately.
    struct Credentials {
        PairingSecret secret;
        /// Set for PairingSecret::Kind::Contact.
        std::optional<ContactProof> contact;
    };
    /// `credentials` are the receiver's; a sender gets them by `admit`. The link wakes `task`,
    /// which must outlive it, when `service` has work.
    static Result<std::unique_ptr<PeerLink>> create(LinkContext &context, Scheduler::Task &task,
                                                    const Options &options,
                                                    std::optional<Credentials> credentials,
                                                    PeerLinkListener &listener, Timestamp now);
    ~PeerLink() override;

    void on_signal(std::string_view payload);
    /// Sender: a receiver's request, returned once. Call admit or refuse within a minute.
    std::optional<PairingRequested> take_request() { return std::exchange(request_, {}); }
    void admit(Credentials credentials, Timestamp now);
    /// Sender: the connection is not bound before `allow`, though the other side waits no longer
    /// than for any connection. Has no effect once connected.
    void allow_binding(bool allow) {
        may_bind_ = allow;
        task_->wake();
    }
    /// Also allowed after admit, until the other side has proved itself.
    void refuse(ErrorCode code);
    /// Takes TURN servers granted for the other side's proof, or a server relay. A receiver may get
    /// them before the sender's proof, and uses them after it.
    void add_relays(const std::vector<TurnServer> &servers) {
        if (stage_ <= Stage::Routing) {
            candidates_.add_relays(servers);
        }
    }
    /// Takes a message from the control stream. PeerProtocol if it breaks the rules.
    Result<> on_find_path(const FindPath &find, Timestamp now) {
        return over() ? Result<>{} : paths_.on_find_path(find, *connection_, now);
    }

    /// Sender: begins PathResumption. Call this once connected, when the receiver's earlier links
    /// have ended.
    void resume_path();
    /// Handles timers and sending; call this once per turn.
    void service(Timestamp now);
    Timestamp deadline() const;
    /// Transfers servicing to another task, immediately.
    void reassign(Scheduler::Task &task);
    /// See Connection::on_wake.
    void on_wake(Timestamp slept, Timestamp now);
    void on_network_change(Timestamp now);
    /// See Connection::probe_peer.
    void probe_peer(Timestamp now);
    /// True while the other side of an established connection doesn't answer.
    bool silent() const { return stage_ == Stage::Connected && connection_->silent(); }

    /// See Pairing::guess.
    const std::optional<GuessId> &guess() const { return pairing_->guess(); }
    bool paired() const { return peer_.has_value(); }
    /// Only when paired.
    const PairingKeys &keys() const { return pairing_->keys(); }
    /// The connection exists after on_connected.
    Connection &connection() { return *connection_; }
    Route route() const;
    /// The progress of the connection's qlog, if it has one.
    std::optional<QlogFile::Status> qlog() const {
        return qlog_ ? std::optional(qlog_->status()) : std::nullopt;
    }
    /// Exporter value with the pairing's transcript; only after on_connected.
    Result<SecretKey> exported(std::string_view label) const {
        return connection_->exported(label, keys().transcript);
    }

    /// Ends the link and informs the other side if possible.
    void close(const std::optional<Error> &error, Timestamp now);
    /// Set once the link is over; without an error after a normal end.
    const std::optional<Closed> &closed() const { return closed_; }
    /// Time until which a closed link must be serviced, so that the other side gets the reason; 0
    /// if there is none to send. A closed link no longer calls its listener.
    Timestamp lingers_until() const;

private:
    /// Stages follow each other and are never repeated; the last two can follow any other.
    enum class Stage : std::uint8_t {
        /// The other side hasn't proved that it knows the secret. The receiver may already have a
        /// route and a connection, but doesn't use them yet.
        Pairing,
        Routing,
        Handshake,
        /// The connection is established but not bound to the pairing yet.
        Binding,
        /// Streams belong to the listener.
        Connected,
        /// The link is over, but the other side doesn't know yet.
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
    void on_path_datagrams(ByteView bytes, std::size_t segment_bytes, const PathId &from) override;
    void on_path_event() override { task_->wake(); }
    void on_first_path_over() override { candidates_.close_ports(); }
    void on_candidate(std::string_view line) override;
    void on_candidates_done() override;
    void on_candidates_changed() override { task_->wake(); }
    void on_established() override;
    void on_stream_data(StreamId stream, ByteView bytes, bool fin) override;
    void on_stream_reset(StreamId stream) override;
    void on_stream_closed(StreamId stream) override;

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
    /// Set with the keys; the proof confirms the fingerprint.
    std::optional<PairingKeyed> keyed_;
    /// Set once the other side has proved that it knows the secret.
    std::optional<PeerDescription> peer_;
    Stage stage_ = Stage::Pairing;
    /// Time at which waiting for the other side or for a route ends.
    Timestamp give_up_;
    std::shared_ptr<QlogFile> qlog_;
    std::unique_ptr<Connection> connection_;
    PathResumption resumption_{context_.paths};
    std::optional<LinkBinding> binding_;
    bool may_bind_ = true;
    /// Outcome of the last flush; flushed_at_ is its time.
    FlushOutcome flushed_ = FlushOutcome::Idle;
    bool was_silent_ = false;
    /// True once the listener was notified that TCP carries the pair's data.
    bool accompanied_ = false;
    /// See CarrierSet::moved.
    bool browser_moved_ = false;
    CompanionJudge companion_{role_};
    Timestamp flushed_at_ = 0;
    /// The client may be ready slightly before this side; its first datagrams wait here.
    std::vector<Bytes> early_datagrams_;
    /// Stream data that arrives before the other side is bound waits here.
    EarlyData early_data_;
    /// Set from Stage::Closing on.
    std::optional<Closed> closed_;
};

} // namespace thru

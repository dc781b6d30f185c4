// One share: contents, a code, and any number of receivers. Network thread only.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/lifetime.h"
#include "crypto/identity.h"
#include "crypto/signature.h"
#include "engine/commands.h"
#include "engine/context.h"
#include "engine/share/approval_policy.h"
#include "engine/share/share_admission.h"
#include "engine/share/share_contents.h"
#include "engine/share/share_peer.h"
#include "engine/share/unauthenticated_load.h"
#include "pairing/join_code.h"
#include "source/source_difference.h"

namespace thru {

class ShareSession {
public:
    /// Starts the scan. Internal if no identity can be made, BadArgument for invalid patterns.
    static Result<std::unique_ptr<ShareSession>> open(EngineContext &context, OpenShare command);
    ~ShareSession();

    /// Failures to add or remove are reported as problems.
    void add_items(std::vector<ScanItem> items);
    void remove_item(std::uint32_t item);
    /// The admission is stored up to this revision.
    void confirm_admission(std::uint64_t revision);
    /// Allows receivers to stay connected until there are changes.
    void set_followable(bool followable);
    /// Scans the items again. If entries have changed, receivers that follow return for them.
    void rescan();
    /// The result of the stream's producer, if it has one.
    void end_stream(bool complete);
    /// Applies to later links.
    void set_stun(std::vector<StunServer> servers) { ice_.stun = std::move(servers); }
    /// Admitted receivers stay; those being admitted are refused if no place is left.
    void set_max_receivers(std::size_t count);
    /// Admitted receivers stay; pairing with another code ends. Wrong guesses stay counted.
    void set_code(JoinCode code, Timestamp now);
    /// The current code admits no one. set_code follows; guesses at the old code don't count.
    void revoke_code(Timestamp now);
    /// The server introduced a receiver. Ignores an id in use.
    void add_peer(const std::string &peer, Timestamp now);
    /// Ends a receiver. Forgets its resume keys unless `may_resume`.
    void disconnect_peer(const std::string &peer, bool may_resume, Timestamp now);
    /// The user's decision about a receiver; no effect unless it waits for one.
    void approve_peer(const std::string &peer, bool approved, Timestamp now);
    /// Without approval, waiting receivers are admitted; admitted ones stay.
    void set_approval(bool wanted);
    /// Empty `peer`: all receivers, including later ones.
    void set_paused(const std::string &peer, bool paused);
    void add_relays(const std::string &peer, const std::vector<TurnServer> &servers);
    void request_contact(const std::string &peer);
    void list_files(const ListFiles &command);
    void on_signal(const std::string &peer, std::string_view payload, Timestamp now);
    /// True if there are no receivers and the scan is complete: everything due has a timer.
    bool idle() const { return receivers_.empty() && contents_->complete(); }
    /// Call this after the functions above: their effects follow in the next turn.
    void wake() { task_.wake(); }
    /// The caller also wakes all tasks.
    void on_wake(Timestamp slept, Timestamp now);
    void on_network_change(Timestamp now);
    /// Ends every receiver's link and the share.
    void end(const Error &error, Timestamp now);

private:
    ShareSession(EngineContext &context, OpenShare command, Identity identity, SigningKey origin,
                 std::vector<PathPattern> exclude);
    std::shared_ptr<ShareContents> make_contents();
    ShareContents::Listener contents_listener();
    template <class Act> void each_receiver_of(const ShareContents &contents, Act act);
    // share_changes.cc: contents that change.
    void compare();
    void adopt(Difference difference);
    void limit_outdated(Timestamp now);
    void report_problem(const Error &error);
    SharePeer *receiver(const std::string &peer);
    Timestamp turn(Timestamp now);
    std::ptrdiff_t awaiting_answers() const;
    Timestamp serve(const std::string &peer, Timestamp now);
    void clear_over(Timestamp now);

    // share_entrance.cc: admission of receivers.
    bool is_full() const;
    std::ptrdiff_t unproven() const;
    bool make_room(Timestamp now);
    void turn_away();
    void end_unproven(Timestamp now);
    void handle_request(const std::string &peer, SharePeer &receiver, Timestamp now);
    void let_in(SharePeer &receiver, const PairingRequested &request, Timestamp now);
    void let_in_waiting(Timestamp now);
    bool end_silent(Timestamp now);
    Timestamp next_let_in() const;
    void on_proven(SharePeer &receiver, Timestamp now);
    void add_key(SharePeer &receiver, Timestamp now);
    void on_greeted(SharePeer &receiver, Timestamp now);
    void on_accepted(SharePeer &receiver, Timestamp now);
    static void close_superseded(SharePeer &receiver, Timestamp now);
    void end_others_by_key(const SharePeer &receiver, Timestamp now);
    /// share_approval.cc: the user's approval.
    std::ptrdiff_t held() const;
    void ask_about(SharePeer &receiver, Timestamp now);
    void approve(SharePeer &receiver);

    void forget_waiting(const std::string &peer);
    void report_guesses();
    void report_admission();

    EngineContext &context_;
    SessionNumber session_;
    std::string name_;
    IceServers ice_;
    std::size_t max_receivers_;
    /// Admits no one after the first receiver.
    bool one_receiver_;
    /// Random; receivers recognize the share by it when they resume.
    WireId id_{};
    std::shared_ptr<const Identity> identity_;
    SigningKey origin_;
    ShareAdmission admission_;
    ApprovalPolicy approval_;
    std::size_t reported_revision_ = 0;
    /// Requests with words that arrived too early, in order.
    struct Waiting {
        std::string peer;
        PairingRequested request;
        Timestamp since = 0;
    };
    std::deque<Waiting> waiting_;
    UnauthenticatedLoad load_;
    GuessesEvent last_guesses_;
    const ScanOptions scan_options_;
    std::shared_ptr<ShareContents> contents_;
    /// Scanned to replace them.
    std::shared_ptr<ShareContents> pending_;
    /// Replaced, oldest first; receivers may still need them.
    std::vector<std::weak_ptr<ShareContents>> outdated_;
    /// Files may have changed since the last scan began.
    bool rescan_wanted_ = false;
    /// Items were added or removed since the last scan began.
    bool items_changed_ = false;
    const bool stores_admission_;
    bool followable_ = false;
    bool paused_ = false;
    const bool watch_files_;
    const bool browsers_;
    /// Runs admission; receivers have their own tasks.
    Scheduler::Task task_;
    /// After the admission: receivers hold its runs.
    std::map<std::string, std::unique_ptr<SharePeer>> receivers_;
    /// Ends the comparison of `pending_`.
    std::unique_ptr<Lifetime> comparison_;
};

} // namespace thru

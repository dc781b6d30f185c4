// One share: contents, a code, and any number of receivers. Network thread only.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "crypto/identity.h"
#include "engine/commands.h"
#include "engine/context.h"
#include "engine/share_admission.h"
#include "engine/share_contents.h"
#include "engine/share_peer.h"
#include "pairing/join_code.h"

namespace thru {

class ShareSession {
public:
    /// Starts the scan. Internal when there are no random numbers or no identity can be made,
    /// BadArgument for patterns that make no sense.
    static Result<std::unique_ptr<ShareSession>> open(EngineContext &context, OpenShare command);
    ~ShareSession();

    /// What can't be added or taken out is told as a problem.
    void add_items(std::vector<ScanItem> items);
    void remove_item(std::uint32_t item);
    void set_max_receivers(std::size_t count) { max_receivers_ = count; }
    /// Receivers that are in stay.
    void set_code(JoinCode code) { admission_.set_code(std::move(code)); }
    void add_peer(const std::string &peer, Timestamp now);
    void drop_peer(const std::string &peer, Timestamp now);
    /// `peer` empty: all, and those that come later.
    void set_paused(const std::string &peer, bool paused);
    void add_relays(const std::string &peer, const std::vector<TurnServer> &servers);
    void keep_contact(const std::string &peer);
    void on_signal(const std::string &peer, std::string_view payload);
    void service(Timestamp now);
    Timestamp deadline() const;
    /// Ends every receiver's link; the share is over.
    void end(const Error &error, Timestamp now);

private:
    ShareSession(EngineContext &context, OpenShare command, Identity identity,
                 std::vector<PathPattern> exclude);
    ShareContents::Listener contents_listener();
    void tell_problem(const Error &error);
    SharePeer *receiver(const std::string &peer);
    std::size_t unproven_receivers() const;
    bool is_full() const;
    void take_request(const std::string &peer, SharePeer &receiver, Timestamp now);
    void let_in(SharePeer &receiver, const PairingRequested &request, Timestamp now);
    void let_in_waiting(Timestamp now);
    void settle_guess(SharePeer &receiver);

    EngineContext &context_;
    SessionNumber session_;
    std::string name_;
    IceServers ice_;
    std::size_t max_receivers_;
    /// Random: tells receivers that come back that it is the same share.
    WireId id_{};
    std::shared_ptr<const Identity> identity_;
    ShareAdmission admission_;
    /// Requests by words for which it is too early, in order.
    struct Waiting {
        std::string peer;
        PairingRequested request;
        Timestamp since = 0;
    };
    std::deque<Waiting> waiting_;
    ShareContents contents_;
    bool paused_ = false;
    std::map<std::string, std::unique_ptr<SharePeer>> receivers_;
};

} // namespace thru

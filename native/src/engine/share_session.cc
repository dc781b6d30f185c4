#include "engine/share_session.h"

#include <algorithm>

#include "crypto/random.h"

namespace thru {

namespace {

/// A request that got no turn by then is told to come again; the receiver waits a little longer.
constexpr Timestamp kMostWaiting = 40 * kSecond;

} // namespace

ShareSession::ShareSession(EngineContext &context, OpenShare command, Identity identity,
                           std::vector<PathPattern> exclude)
    : context_(context), session_(command.session), name_(std::move(command.name)),
      ice_(std::move(command.ice)), max_receivers_(command.max_receivers),
      identity_(std::make_shared<const Identity>(std::move(identity))),
      admission_(context.contacts),
      contents_(context, command.session, {.exclude = std::move(exclude), .links = command.links},
                contents_listener()) {
    random_bytes(id_);
}

ShareSession::~ShareSession() = default;

Result<std::unique_ptr<ShareSession>> ShareSession::open(EngineContext &context,
                                                         OpenShare command) {
    if (auto random = require_random(); !random) {
        return std::unexpected(random.error());
    }
    auto exclude = parse_patterns(command.exclude);
    if (!exclude) {
        return std::unexpected(exclude.error());
    }
    auto identity = Identity::create();
    if (!identity) {
        return std::unexpected(identity.error());
    }
    auto items = std::move(command.items);
    std::unique_ptr<ShareSession> share(
        new ShareSession(context, std::move(command), std::move(*identity), std::move(*exclude)));
    if (auto added = share->contents_.add(std::move(items)); !added) {
        return std::unexpected(added.error());
    }
    return share;
}

ShareContents::Listener ShareSession::contents_listener() {
    return {.on_marked =
                [this] {
                    for (const auto &[peer, receiver] : receivers_) {
                        receiver->on_marked();
                    }
                },
            .on_removed =
                [this](const IndexRanges &ranges) {
                    for (const auto &[peer, receiver] : receivers_) {
                        receiver->on_removed(ranges);
                    }
                },
            .on_nothing =
                [this] {
                    context_.events.push(FailedEvent{
                        session_,
                        {},
                        Error{ErrorCode::NothingToSend, 0, "no file or folder could be read"}});
                }};
}

void ShareSession::tell_problem(const Error &error) {
    context_.events.push(ItemProblemEvent{session_, {}, {}, error});
}

void ShareSession::add_items(std::vector<ScanItem> items) {
    if (auto added = contents_.add(std::move(items)); !added) {
        tell_problem(added.error());
    }
}

void ShareSession::remove_item(std::uint32_t item) {
    if (auto removed = contents_.remove(item); !removed) {
        tell_problem(removed.error());
    }
}

void ShareSession::add_peer(const std::string &peer, Timestamp now) {
    const auto refuse = [&](Error error) {
        context_.events.push(FailedEvent{session_, peer, std::move(error)});
    };
    if (!admission_.has_code()) {
        refuse(Error{ErrorCode::BadArgument, 0, "the share has no code yet"});
        return;
    }
    if (unproven_receivers() >= kMaxWaitingRuns) {
        refuse(Error{ErrorCode::RateLimited, 0, "too many receivers at the same moment"});
        return;
    }
    auto receiver = SharePeer::create(context_, contents_,
                                      {.session = session_,
                                       .peer = peer,
                                       .share = id_,
                                       .link = {.role = LinkRole::Sender,
                                                .nameplate = admission_.nameplate(),
                                                .identity = identity_,
                                                .name = name_,
                                                .ice = ice_},
                                       .paused = paused_},
                                      now);
    if (!receiver) {
        refuse(receiver.error());
        return;
    }
    receivers_.insert_or_assign(peer, std::move(*receiver));
}

SharePeer *ShareSession::receiver(const std::string &peer) {
    const auto found = receivers_.find(peer);
    return found == receivers_.end() ? nullptr : found->second.get();
}

std::size_t ShareSession::unproven_receivers() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(receivers_, [](const auto &each) { return !each.second->paired(); }));
}

bool ShareSession::is_full() const {
    const auto taken = std::ranges::count_if(
        receivers_, [](const auto &each) { return each.second->takes_place(); });
    return static_cast<std::size_t>(taken) >= max_receivers_;
}

void ShareSession::drop_peer(const std::string &peer, Timestamp now) {
    if (auto *leaving = receiver(peer)) {
        leaving->close(Error{ErrorCode::Stopped, 0, "ended by the sender"}, now);
    }
}

void ShareSession::add_relays(const std::string &peer, const std::vector<TurnServer> &servers) {
    if (auto *target = receiver(peer)) {
        target->add_relays(servers);
    }
}

void ShareSession::keep_contact(const std::string &peer) {
    if (auto *target = receiver(peer)) {
        target->keep_contact();
    }
}

void ShareSession::set_paused(const std::string &peer, bool paused) {
    if (peer.empty()) {
        paused_ = paused;
        for (const auto &[name, receiver] : receivers_) {
            receiver->set_paused(paused);
        }
    } else if (auto *target = receiver(peer)) {
        target->set_paused(paused);
    }
}

void ShareSession::on_signal(const std::string &peer, std::string_view payload) {
    if (auto *target = receiver(peer)) {
        target->on_signal(payload);
    }
}

void ShareSession::take_request(const std::string &peer, SharePeer &receiver, Timestamp now) {
    const auto request = receiver.take_request();
    if (!request) {
        return;
    }
    const bool by_words = request->kind == PairingSecret::Kind::Words;
    // Who comes back takes the place that it had.
    const bool full = request->kind != PairingSecret::Kind::Resume && is_full();
    if (full) {
        receiver.refuse(ErrorCode::TooManyReceivers);
    } else if (by_words && (!waiting_.empty() || admission_.next_run(now) > now) &&
               !admission_.locked()) {
        waiting_.push_back({.peer = peer, .request = *request, .since = now});
    } else {
        let_in(receiver, *request, now);
    }
}

void ShareSession::let_in(SharePeer &receiver, const PairingRequested &request, Timestamp now) {
    auto admitted = admission_.admit(request, now);
    if (admitted) {
        const bool counted = request.kind == PairingSecret::Kind::Words;
        receiver.admit(*std::move(admitted), counted, now);
    } else {
        receiver.refuse(admitted.error().code);
    }
}

void ShareSession::let_in_waiting(Timestamp now) {
    while (!waiting_.empty()) {
        const auto &[peer, request, since] = waiting_.front();
        auto *next = receiver(peer);
        const bool too_late = since + kMostWaiting <= now;
        if (next != nullptr && !too_late && !admission_.locked() &&
            admission_.next_run(now) > now) {
            return;
        }
        if (next != nullptr && too_late) {
            next->refuse(ErrorCode::RateLimited);
        } else if (next != nullptr) {
            let_in(*next, request, now);
        }
        waiting_.pop_front();
    }
}

/// A run by words ended, well or not: the budget hears of it.
void ShareSession::settle_guess(SharePeer &receiver) {
    const auto &error = receiver.error();
    if ((!receiver.paired() && !error) || !receiver.take_counted()) {
        return;
    }
    if (receiver.paired()) {
        admission_.on_proven();
    } else if (error->code == ErrorCode::CodeMismatch) {
        admission_.on_wrong();
        context_.events.push(GuessesEvent{session_, admission_.wrong(), admission_.locked()});
    } else {
        admission_.on_abandoned();
    }
}

void ShareSession::service(Timestamp now) {
    for (const auto &[peer, receiver] : receivers_) {
        take_request(peer, *receiver, now);
    }
    let_in_waiting(now);
    std::erase_if(receivers_, [&](const auto &each) {
        auto &receiver = *each.second;
        const bool over = !receiver.service(now);
        settle_guess(receiver);
        if (const auto keys = receiver.take_resume_keys()) {
            admission_.remember(keys->key, keys->earlier);
        }
        return over;
    });
}

Timestamp ShareSession::deadline() const {
    auto earliest = waiting_.empty() ? kNever
                                     : std::min(admission_.next_run(monotonic_now()),
                                                waiting_.front().since + kMostWaiting);
    for (const auto &[peer, receiver] : receivers_) {
        earliest = std::min(earliest, receiver->deadline());
    }
    return earliest;
}

void ShareSession::end(const Error &error, Timestamp now) {
    for (const auto &[peer, receiver] : receivers_) {
        receiver->close(error, now);
    }
}

} // namespace thru

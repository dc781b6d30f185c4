#include "engine/share/share_session.h"

#include <algorithm>

#include "crypto/random.h"
#include "engine/origin.h"

namespace thru {

namespace {

/// Limits the connections of finished receivers that stay open for a contact request.
constexpr std::ptrdiff_t kMaxAwaiting = 16;

} // namespace

ShareSession::ShareSession(EngineContext &context, OpenShare command, Identity identity,
                           SigningKey origin, std::vector<PathPattern> exclude)
    : context_(context), session_(command.session), name_(std::move(command.name)),
      ice_(std::move(command.ice)), max_receivers_(command.max_receivers),
      one_receiver_(command.one_receiver),
      identity_(std::make_shared<const Identity>(std::move(identity))), origin_(std::move(origin)),
      admission_(context.contacts), approval_(command.approval),
      last_guesses_{.session = command.session}, scan_options_{.exclude = std::move(exclude),
                                                               .links = command.links,
                                                               .follow_links = command.follow_links,
                                                               .ignore_files = command.ignore_files,
                                                               .attributes = command.attributes},
      contents_(make_contents()), stores_admission_(command.stores_admission),
      watch_files_(command.watch_files), browsers_(command.browsers),
      task_(context.scheduler, [this](Timestamp now) { return turn(now); }) {
    if (command.restored) {
        id_ = command.restored->share;
        admission_.restore(*std::move(command.restored));
        reported_revision_ = admission_.revision();
    } else {
        random_bytes(id_);
    }
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
    context.links.paths.set_secret(command.installation);
    auto origin = origin_key(command.installation, command.items);
    auto items = std::move(command.items);
    std::unique_ptr<ShareSession> share(new ShareSession(
        context, std::move(command), std::move(*identity), std::move(origin), std::move(*exclude)));
    if (auto added = share->contents_->add(std::move(items)); !added) {
        return std::unexpected(added.error());
    }
    share->report_guesses();
    return share;
}

std::shared_ptr<ShareContents> ShareSession::make_contents() {
    return std::make_shared<ShareContents>(context_, session_, scan_options_, contents_listener());
}

template <class Act> void ShareSession::each_receiver_of(const ShareContents &contents, Act act) {
    for (const auto &[peer, receiver] : receivers_) {
        if (&receiver->contents() == &contents) {
            act(*receiver);
        }
    }
}

ShareContents::Listener ShareSession::contents_listener() {
    return {.on_checkpoint =
                [this](const ShareContents &from) {
                    if (&from == pending_.get()) {
                        compare();
                        return;
                    }
                    each_receiver_of(from, [](SharePeer &receiver) { receiver.on_checkpoint(); });
                    if (rescan_wanted_) {
                        rescan();
                    }
                },
            .on_removed =
                [this](const ShareContents &from, const IndexRanges &ranges) {
                    each_receiver_of(from,
                                     [&](SharePeer &receiver) { receiver.on_removed(ranges); });
                },
            .on_grown =
                [this](const ShareContents &from) {
                    each_receiver_of(from, [](SharePeer &receiver) { receiver.wake(); });
                },
            .on_nothing =
                [this](const ShareContents &from) {
                    if (&from == pending_.get()) {
                        compare();
                        return;
                    }
                    context_.events.push(FailedEvent{
                        session_,
                        {},
                        Error{ErrorCode::NothingToSend, 0, "no file or folder could be read"}});
                },
            .on_stream_grown =
                [this](std::uint64_t end, bool ended) {
                    for (const auto &[peer, receiver] : receivers_) {
                        receiver->on_stream_grown(end, ended);
                    }
                },
            .on_stream_broken =
                [this] {
                    for (const auto &[peer, receiver] : receivers_) {
                        receiver->on_stream_broken();
                    }
                }};
}

void ShareSession::report_problem(const Error &error) {
    context_.events.push(ItemProblemEvent{session_, {}, {}, error});
}

void ShareSession::add_items(std::vector<ScanItem> items) {
    if (auto added = contents_->add(std::move(items)); !added) {
        report_problem(added.error());
        return;
    }
    items_changed_ = true;
    if (pending_) {
        rescan();
    }
}

void ShareSession::end_stream(bool complete) {
    if (auto *stream = contents_->stream()) {
        stream->conclude(complete);
    }
}

void ShareSession::remove_item(std::uint32_t item) {
    if (auto removed = contents_->remove(item); !removed) {
        report_problem(removed.error());
        return;
    }
    for (const auto &outdated : outdated_) {
        if (const auto contents = outdated.lock()) {
            static_cast<void>(contents->remove(item));
        }
    }
    items_changed_ = true;
    if (pending_) {
        rescan();
    }
}

void ShareSession::add_peer(const std::string &peer, Timestamp now) {
    const auto refuse = [&](Error error) {
        context_.events.push(FailedEvent{session_, peer, std::move(error)});
    };
    if (const auto *known = receiver(peer)) {
        // The server chooses ids: a repeated id must not end the receiver that has it.
        if (known->over()) {
            refuse(Error{ErrorCode::BadArgument, 0, "the receiver with this id has just ended"});
        }
        return;
    }
    if (!admission_.has_code()) {
        refuse(Error{ErrorCode::BadArgument, 0, "the share has no code yet"});
        return;
    }
    if (!make_room(now)) {
        refuse(Error{ErrorCode::RateLimited, 0, "too many receivers at the same moment"});
        return;
    }
    auto receiver = SharePeer::create(
        context_, contents_,
        {.session = session_,
         .peer = peer,
         .share = id_,
         .origin = origin_,
         .link = {.session = session_,
                  .role = LinkRole::Sender,
                  .nameplate = admission_.nameplate(),
                  .identity = identity_,
                  .name = name_,
                  .ice = ice_},
         .since = now,
         .paused = paused_,
         .followable = followable_,
         .watch_files = watch_files_,
         .browsers = browsers_},
        [this, peer](Timestamp turn) { return serve(peer, turn); }, now);
    if (!receiver) {
        refuse(receiver.error());
        return;
    }
    receivers_.emplace(peer, std::move(*receiver));
}

SharePeer *ShareSession::receiver(const std::string &peer) {
    const auto found = receivers_.find(peer);
    return found == receivers_.end() ? nullptr : found->second.get();
}

void ShareSession::disconnect_peer(const std::string &peer, bool may_resume, Timestamp now) {
    if (auto *leaving = receiver(peer)) {
        if (!may_resume && leaving->paired()) {
            admission_.forget(leaving->key());
        }
        if (!may_resume && leaving->used_key()) {
            admission_.forget(*leaving->used_key());
        }
        leaving->close(Error{ErrorCode::Stopped, 0, "ended by the sender"}, now);
        report_admission();
    }
}

void ShareSession::add_relays(const std::string &peer, const std::vector<TurnServer> &servers) {
    if (auto *target = receiver(peer)) {
        target->add_relays(servers);
    }
}

void ShareSession::request_contact(const std::string &peer) {
    if (auto *target = receiver(peer)) {
        target->request_contact();
    }
}

void ShareSession::list_files(const ListFiles &command) {
    if (auto *target = receiver(command.peer)) {
        target->list_files(command);
    } else {
        context_.events.push(
            FilesEvent{.session = session_,
                       .peer = command.peer,
                       .request = command.request,
                       .error = Error{ErrorCode::BadArgument, 0, "no such receiver"}});
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

Timestamp ShareSession::turn(Timestamp now) {
    let_in_waiting(now);
    if (load_.update(now)) {
        context_.events.push(UnauthenticatedLoadEvent{session_, load_.high()});
    }
    return std::min(next_let_in(), load_.deadline());
}

/// The turn of one receiver, which may be destroyed at the end; `peer` must outlive it.
Timestamp ShareSession::serve(const std::string &peer, Timestamp now) {
    auto &receiver = *receivers_.at(peer);
    const auto before = receiver.stage();
    const bool goes_on = receiver.service(now);
    const auto reached = [&](SharePeer::Stage stage) {
        return before < stage && stage <= receiver.stage();
    };
    if (reached(SharePeer::Stage::Finished)) {
        admission_.give_up_place(receiver.key());
        report_admission();
    }
    if (!goes_on) {
        forget_waiting(peer);
        if (!receiver.paired()) {
            load_.on_peer(now);
        } else if (!receiver.connected() && !receiver.used_key()) {
            // It never learned its key.
            admission_.forget(receiver.key());
            report_admission();
        }
        receivers_.erase(peer);
        task_.wake();
        return kNever;
    }
    if (reached(SharePeer::Stage::AwaitingAnswer) && awaiting_answers() > kMaxAwaiting) {
        receiver.close({}, now);
    }
    if (reached(SharePeer::Stage::Greeted)) {
        on_greeted(receiver, now);
        receiver.resume_path();
    }
    if (reached(SharePeer::Stage::Accepted)) {
        on_accepted(receiver, now);
    }
    report_admission();
    return receiver.deadline();
}

std::ptrdiff_t ShareSession::awaiting_answers() const {
    return std::ranges::count_if(receivers_, [](const auto &each) {
        return each.second->stage() == SharePeer::Stage::AwaitingAnswer;
    });
}

/// Handles receivers that have ended since their last turn.
void ShareSession::clear_over(Timestamp now) {
    std::vector<std::string> over;
    for (const auto &[peer, receiver] : receivers_) {
        if (receiver->over()) {
            over.push_back(peer);
        }
    }
    for (const auto &peer : over) {
        serve(peer, now);
    }
}

void ShareSession::on_network_change(Timestamp now) {
    for (const auto &[peer, receiver] : receivers_) {
        receiver->on_network_change(now);
    }
}

void ShareSession::on_wake(Timestamp slept, Timestamp now) {
    for (const auto &[peer, receiver] : receivers_) {
        receiver->on_wake(slept, now);
    }
}

void ShareSession::end(const Error &error, Timestamp now) {
    for (const auto &[peer, receiver] : receivers_) {
        receiver->close(error, now);
    }
}

} // namespace thru

#include "engine/share_session.h"

#include <algorithm>

#include "crypto/random.h"

namespace thru {

ShareSession::ShareSession(EngineContext &context, OpenShare command, Identity identity,
                           std::vector<PathPattern> exclude)
    : context_(context), session_(command.session), name_(std::move(command.name)),
      ice_(std::move(command.ice)), max_receivers_(command.max_receivers),
      identity_(std::make_shared<const Identity>(std::move(identity))),
      contents_(context, command.session, {.exclude = std::move(exclude), .links = command.links},
                contents_listener()) {
    random_bytes(id_);
}

ShareSession::~ShareSession() = default;

Result<std::unique_ptr<ShareSession>> ShareSession::open(EngineContext &context,
                                                         OpenShare command) {
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
    if (!code_) {
        refuse(Error{ErrorCode::BadArgument, 0, "the share has no code yet"});
        return;
    }
    if (wrong_guesses_ >= kMaxWrongGuesses) {
        refuse(Error{ErrorCode::CodeMismatch, 0, "too many wrong codes: share again"});
        return;
    }
    if (receivers_.size() >= max_receivers_) {
        refuse(Error{ErrorCode::TooManyReceivers, 0, {}});
        return;
    }
    auto receiver = SharePeer::create(context_, contents_,
                                      {.session = session_,
                                       .peer = peer,
                                       .share = id_,
                                       .link = {.role = Pairing::Role::Sender,
                                                .code = *code_,
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

void ShareSession::drop_peer(const std::string &peer, Timestamp now) {
    if (const auto found = receivers_.find(peer); found != receivers_.end()) {
        found->second->close(Error{ErrorCode::Stopped, 0, "ended by the sender"}, now);
    }
}

void ShareSession::set_paused(const std::string &peer, bool paused) {
    if (peer.empty()) {
        paused_ = paused;
        for (const auto &[name, receiver] : receivers_) {
            receiver->set_paused(paused);
        }
    } else if (const auto found = receivers_.find(peer); found != receivers_.end()) {
        found->second->set_paused(paused);
    }
}

void ShareSession::on_signal(const std::string &peer, std::string_view payload) {
    if (const auto found = receivers_.find(peer); found != receivers_.end()) {
        found->second->on_signal(payload);
    }
}

void ShareSession::service(Timestamp now) {
    std::erase_if(receivers_, [&](const auto &each) {
        if (each.second->service(now)) {
            return false;
        }
        const auto &error = each.second->error();
        wrong_guesses_ += error && error->code == ErrorCode::CodeMismatch ? 1 : 0;
        return true;
    });
}

Timestamp ShareSession::deadline() const {
    auto earliest = kNever;
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

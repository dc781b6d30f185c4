// ShareSession: the user approves each receiver. Until then a receiver has no place and no offer.
#include <algorithm>
#include <vector>

#include "engine/share/share_session.h"

namespace thru {

/// Number of receivers that wait for approval, or will once connected.
std::ptrdiff_t ShareSession::held() const {
    return std::ranges::count_if(receivers_, [](const auto &each) {
        const auto &receiver = *each.second;
        return receiver.held() && receiver.paired() && !receiver.over();
    });
}

/// A held receiver has greeted.
void ShareSession::ask_about(SharePeer &receiver, Timestamp now) {
    if (auto asked = approval_.ask(receiver.receive(), now); asked) {
        receiver.ask(now);
    } else {
        receiver.close(asked.error(), now);
    }
}

void ShareSession::approve_peer(const std::string &peer, bool approved, Timestamp now) {
    auto *target = receiver(peer);
    if (target == nullptr || !target->held() || !target->greeted() || target->over()) {
        return;
    }
    if (approved) {
        approve(*target);
        report_admission();
        return;
    }
    approval_.refuse(target->receive());
    target->close(Error{ErrorCode::Refused, 0, "refused by the sender"}, now);
}

/// The receiver takes a place and may resume with its key. The last place ends all waiting.
void ShareSession::approve(SharePeer &receiver) {
    add_key(receiver, context_.loop.now());
    receiver.approve();
    if (one_receiver_) {
        max_receivers_ = 0;
    }
    turn_away();
}

void ShareSession::set_approval(bool wanted) {
    approval_.set_asks(wanted);
    std::vector<SharePeer *> waiting;
    for (const auto &[peer, receiver] : receivers_) {
        if (!receiver->paired()) {
            receiver->set_held(wanted && !receiver->used_key());
        } else if (!wanted && receiver->held()) {
            waiting.push_back(receiver.get());
        }
    }
    std::ranges::sort(waiting, {}, &SharePeer::since);
    for (auto *receiver : waiting) {
        if (!receiver->over()) {
            approve(*receiver);
        }
    }
    report_admission();
}

} // namespace thru

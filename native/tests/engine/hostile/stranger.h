// A receiver that pairs through the server alone, up to a stage that the test chooses.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/engine_pair.h"
#include "pairing/pairing.h"
#include "support/patience.h"

namespace thru {

/// Knocks at the share of a pair of engines, and pairs up to the stage that a test chooses.
class Stranger {
public:
    Stranger(EnginePair &pair, std::string peer, PairingSecret secret)
        : pair_(pair), peer_(std::move(peer)),
          pairing_(Pairing::receiver(EnginePair::kNameplate, secret, description())) {
        pair_.route(peer_, [this](const std::string &payload) {
            const std::lock_guard lock(mutex_);
            heard_.push_back(payload);
            arrived_.notify_all();
        });
    }
    ~Stranger() { pair_.unroute(peer_); }

    const std::string &peer() const { return peer_; }
    void introduce() { pair_.sender.post(AddPeer{EnginePair::kShare, peer_}); }
    /// Sends its next messages.
    void speak() {
        for (auto &payload : pairing_.take_payloads()) {
            say(std::move(payload));
        }
    }
    void say(std::string payload) {
        pair_.sender.post(Signal{EnginePair::kShare, peer_, std::move(payload)});
    }
    void knock() {
        introduce();
        speak();
    }
    std::string opening() { return pairing_.take_payloads().at(0); }
    /// The sender's next message, as a receiver interprets it; fails the test after half a minute.
    Result<std::vector<PairingEvent>> hear() {
        std::unique_lock lock(mutex_);
        if (!arrived_.wait_for(lock, test::patience(std::chrono::seconds(30)),
                               [&] { return !heard_.empty(); })) {
            ADD_FAILURE() << "no answer to " << peer_;
            return fail(ErrorCode::Internal);
        }
        auto payload = std::move(heard_.front());
        heard_.pop_front();
        lock.unlock();
        return pairing_.on_payload(payload);
    }
    ErrorCode refusal() {
        const auto heard = hear();
        return heard ? ErrorCode::Internal : heard.error().code;
    }
    bool heard_nothing() {
        const std::lock_guard lock(mutex_);
        return heard_.empty();
    }

private:
    static PeerDescription description() { return {.fingerprint = {}, .name = "Eve"}; }

    EnginePair &pair_;
    std::string peer_;
    Pairing pairing_;
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<std::string> heard_;
};

inline PairingSecret wrong_words() { return PairingSecret::words("apple-banana-anchor"); }
inline PairingSecret right_words() { return PairingSecret::words(EnginePair::kWords); }

} // namespace thru

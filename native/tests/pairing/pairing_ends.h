// Two ends of a pairing, and the server between them, controlled by a test.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crypto/base64url.h"
#include "pairing/pairing.h"
#include "pairing/payload.h"

namespace thru::test {

using Events = std::vector<PairingEvent>;

inline constexpr std::string_view kNameplate = "4821";
inline constexpr std::string_view kWords = "apple-riverboat-stopwatch";
inline constexpr std::string_view kCandidate =
    "candidate:1 1 UDP 2015363327 192.0.2.7 40001 typ host";

inline PairingSecret right_words() { return PairingSecret::words(std::string{kWords}); }
inline PairingSecret wrong_words() { return PairingSecret::words("apple-riverboat-zombie"); }

inline PairingSecret key_secret(std::uint8_t fill,
                                PairingSecret::Kind kind = PairingSecret::Kind::Resume) {
    SecretKey key;
    std::ranges::fill(key.mutable_view(), fill);
    return PairingSecret::key(kind, key);
}

inline PeerDescription description(std::string_view name) {
    PeerDescription own;
    own.fingerprint.fill(static_cast<std::uint8_t>(name.size()));
    own.name = name;
    return own;
}

inline Pairing new_receiver(const PairingSecret &secret = right_words()) {
    return Pairing::receiver(std::string{kNameplate}, secret, description("Receiver"));
}

inline Pairing new_sender() {
    return Pairing::sender(std::string{kNameplate}, description("Sender"));
}

/// The error; Internal if there is none.
inline ErrorCode code_of(const Result<Events> &result) {
    return result ? ErrorCode::Internal : result.error().code;
}

template <class Event> const Event *find_event(const Result<Events> &events) {
    if (!events) {
        return nullptr;
    }
    for (const auto &event : *events) {
        if (const auto *found = std::get_if<Event>(&event)) {
            return found;
        }
    }
    return nullptr;
}

inline bool is_proven(const Result<Events> &events) {
    return find_event<PairingProven>(events) != nullptr;
}

/// Delivers all payloads of `from` to `to`; returns its events or the first error.
inline Result<Events> pass_on(Pairing &from, Pairing &to) {
    Events all;
    for (const auto &payload : from.take_payloads()) {
        auto events = to.on_payload(payload);
        if (!events) {
            return events;
        }
        all.insert(all.end(), events->begin(), events->end());
    }
    return all;
}

/// Both ends; the sender admits every request with its secret.
struct Ends {
    PairingSecret senders;
    Pairing sender = new_sender();
    Pairing receiver;

    explicit Ends(const PairingSecret &sender_secret = right_words(),
                  const PairingSecret &receiver_secret = right_words())
        : senders(sender_secret), receiver(new_receiver(receiver_secret)) {}

    /// Delivers the receiver's payloads; admits a request.
    Result<Events> to_sender() {
        auto events = pass_on(receiver, sender);
        if (find_event<PairingRequested>(events) != nullptr) {
            sender.admit(senders);
        }
        return events;
    }
    Result<Events> to_receiver() { return pass_on(sender, receiver); }

    /// Exchanges all four payloads; returns true if both ends are proven.
    bool pair() {
        return to_sender() && to_receiver() && is_proven(to_sender()) && is_proven(to_receiver());
    }
};

/// Lets `change` modify the bytes of the payload.
template <class Change> std::string changed(std::string_view payload, Change change) {
    auto bytes = from_base64url(payload).value();
    change(bytes);
    return to_base64url(bytes);
}

} // namespace thru::test

#include <algorithm>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "crypto/base64url.h"
#include "fuzz/require.h"
#include "fuzz/targets.h"
#include "pairing/candidate_exchange.h"
#include "pairing/description.h"
#include "pairing/ice_candidate.h"
#include "pairing/join_code.h"
#include "pairing/pairing.h"
#include "pairing/payload.h"

namespace thru::fuzz {

namespace {

PeerDescription own_description() { return {.fingerprint = {}, .name = "Ada"}; }

Pairing new_sender() { return Pairing::sender("4821", own_description()); }

PairingSecret secret() { return PairingSecret::words("zombie-zookeeper-zucchini"); }

template <class Event> bool has(const Result<std::vector<PairingEvent>> &events) {
    return events && std::ranges::any_of(*events, [](const PairingEvent &event) {
               return std::holds_alternative<Event>(event);
           });
}

/// Replaces the payload by the input, or changes bytes at the two-byte positions that it lists.
std::string changed(std::string_view payload, bool replace, ByteView input) {
    if (replace) {
        return to_base64url(input);
    }
    auto bytes = from_base64url(payload).value();
    for (; input.size() >= 3; input = input.subspan(3)) {
        const auto place = static_cast<std::size_t>(input[0] << 8 | input[1]);
        bytes[place % bytes.size()] ^= input[2];
    }
    return to_base64url(bytes);
}

} // namespace

void fuzz_pairing_payload(ByteView input) {
    const auto text = to_base64url(input);
    for (const auto payload : {std::string_view{text}, as_text(input)}) {
        auto sender = new_sender();
        const auto events = sender.on_payload(payload);
        require(!events || has<PairingRequested>(events));
        // The sender stays silent before admission, except to a receiver with another version.
        const auto answers = sender.take_payloads();
        require(answers.empty() ||
                (!events && events.error().code == ErrorCode::PeerVersion && answers.size() == 1));
        if (const auto decoded = decode_payload(payload)) {
            require(encode_payload(*decoded) == payload);
        }
    }
}

void fuzz_pairing_run(ByteView input) {
    if (input.empty()) {
        return;
    }
    // The first byte selects the payload to change, and the kind of change.
    const auto changed_step = input.front() % 4U;
    const bool replace = (input.front() & 4U) != 0;
    auto sender = new_sender();
    auto receiver = Pairing::receiver("4821", secret(), own_description());
    bool altered = false;
    for (unsigned step = 0; step < 4; ++step) {
        auto &from = step % 2 == 0 ? receiver : sender;
        auto &to = step % 2 == 0 ? sender : receiver;
        const auto payloads = from.take_payloads();
        if (payloads.empty()) {
            return;
        }
        const auto passed_on = step == changed_step
                                   ? changed(payloads.front(), replace, input.subspan(1))
                                   : payloads.front();
        altered |= passed_on != payloads.front();
        const auto events = to.on_payload(passed_on);
        const bool proven = has<PairingProven>(events);
        require(!proven || (step >= 2 && !altered));
        require(altered || events.has_value());
        if (has<PairingRequested>(events)) {
            sender.admit(secret());
        }
    }
}

void fuzz_pairing_message(ByteView input) {
    CandidateExchange candidates;
    for (bool is_first = true; !input.empty(); is_first = false) {
        // Each message follows a length byte.
        const auto length = std::min<std::size_t>(input.front(), input.size() - 1);
        const auto message = input.subspan(1, length);
        input = input.subspan(1 + length);
        if (is_first) {
            const auto peer = decode_description(message);
            if (!peer) {
                return;
            }
            require(is_peer_name(peer->name));
            const auto again = encode_description(*peer);
            require(again.size() <= message.size() &&
                    std::ranges::equal(again, message.first(again.size())));
            continue;
        }
        const auto events = candidates.on_message(message);
        if (!events) {
            return;
        }
        for (const auto &event : *events) {
            const auto *candidate = std::get_if<RemoteCandidate>(&event);
            require(candidate == nullptr ||
                    check_candidate(candidate->line) == CandidateCheck::Usable);
            const auto *named = std::get_if<NamedCandidate>(&event);
            require(named == nullptr || check_candidate(named->line) == CandidateCheck::Named);
        }
    }
}

void fuzz_candidate(ByteView input) {
    const auto check = check_candidate(as_text(input));
    require(check == CandidateCheck::Malformed || input.size() <= kMaxCandidateBytes);
}

void fuzz_text(ByteView input) {
    const auto text = as_text(input);
    const auto name = to_peer_name(text);
    require(is_peer_name(name) && is_utf8(name) && to_peer_name(name) == name);
    require(!is_peer_name(text) || name == text);
    if (const auto code = parse_join_code(text)) {
        require(code->nameplate + "-" + code->words == text);
    }
    if (const auto bytes = from_base64url(text)) {
        require(to_base64url(*bytes) == text);
    }
}

} // namespace thru::fuzz

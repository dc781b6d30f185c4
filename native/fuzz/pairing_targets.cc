#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "crypto/aead.h"
#include "crypto/base64url.h"
#include "crypto/hkdf.h"
#include "fuzz/require.h"
#include "fuzz/targets.h"
#include "pairing/ice_candidate.h"
#include "pairing/join_code.h"
#include "pairing/pairing.h"
#include "pairing/payload.h"

namespace thru::fuzz {

namespace {

/// Not the code of the vectors, so none of their boxes opens.
const JoinCode kCode = {"4821", "zombie-zookeeper-zucchini"};

Pairing new_sender() {
    PeerDescription own;
    own.ice_ufrag = "Ab3/";
    own.ice_pwd = "0123456789abcdefghijkl";
    return {Pairing::Role::Sender, kCode, own};
}

/// A receiver's payload around any content, sealed as a receiver with the right words does.
std::string sealed(std::uint64_t counter, ByteView message) {
    static const auto kKey =
        hkdf_sha256(as_bytes(kCode.words), as_bytes("thru/1 pairing"),
                    as_bytes(std::string{"receiver to sender4821"}.append(std::size_t{16}, '\0')));
    std::array<std::uint8_t, 10> associated = {1, 2};
    associated.back() = static_cast<std::uint8_t>(counter);
    SealedPayload payload{.run = {}, .counter = counter, .nonce = {}, .box = {}};
    payload.box = seal_box(kKey, payload.nonce, associated, message);
    return encode_payload(payload);
}

} // namespace

void fuzz_pairing_payload(ByteView input) {
    const auto text = to_base64url(input);
    for (const auto payload : {std::string_view{text}, as_text(input)}) {
        auto sender = new_sender();
        // Nobody makes a box by chance.
        require(!sender.on_payload(payload));
        require(sender.take_payloads().size() <= 1);
        if (const auto decoded = decode_payload(payload)) {
            require(encode_payload(*decoded) == payload);
        }
    }
}

void fuzz_pairing_message(ByteView input) {
    auto sender = new_sender();
    std::uint64_t counter = 0;
    // A byte of length before each message.
    while (!input.empty()) {
        const auto length = std::min<std::size_t>(input.front(), input.size() - 1);
        const auto message = input.subspan(1, length);
        input = input.subspan(1 + length);
        const auto events = sender.on_payload(sealed(counter++, message));
        if (!events) {
            return;
        }
        for (const auto &event : *events) {
            if (const auto *peer = std::get_if<PeerDescription>(&event)) {
                require(is_peer_name(peer->name) &&
                        std::ranges::all_of(peer->ice_pwd, is_ice_char));
            } else if (const auto *candidate = std::get_if<RemoteCandidate>(&event)) {
                require(check_candidate(candidate->line) == CandidateCheck::Usable);
            }
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

#include "pairing/description.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/byte_reader.h"
#include "base/utf8.h"
#include "pairing/ice_candidate.h"

namespace thru {

namespace {

/// RFC 8839, section 5.4; one byte holds the length here.
constexpr std::size_t kMinUfragBytes = 4;
constexpr std::size_t kMinPasswordBytes = 22;

void append_short_text(Bytes &out, std::string_view text) {
    out.push_back(static_cast<std::uint8_t>(text.size()));
    append_bytes(out, as_bytes(text));
}

std::optional<std::string> take_short_text(ByteReader &reader) {
    const auto length = reader.byte();
    const auto bytes = length ? reader.bytes(*length) : std::nullopt;
    return bytes ? std::optional{std::string{as_text(*bytes)}} : std::nullopt;
}

bool is_credential(std::string_view text, std::size_t least) {
    return text.size() >= least && std::ranges::all_of(text, is_ice_char);
}

} // namespace

Bytes encode_description(const PeerDescription &description) {
    Bytes message;
    append_short_text(message, description.ice_ufrag);
    append_short_text(message, description.ice_pwd);
    append_short_text(message, to_peer_name(description.name));
    return message;
}

std::optional<PeerDescription> decode_description(ByteView message) {
    ByteReader reader{message};
    auto ufrag = take_short_text(reader);
    auto password = take_short_text(reader);
    auto name = take_short_text(reader);
    if (!ufrag || !password || !name || !is_credential(*ufrag, kMinUfragBytes) ||
        !is_credential(*password, kMinPasswordBytes) || !is_peer_name(*name)) {
        return std::nullopt;
    }
    return PeerDescription{.fingerprint = {},
                           .ice_ufrag = *std::move(ufrag),
                           .ice_pwd = *std::move(password),
                           .name = *std::move(name)};
}

} // namespace thru

#include "pairing/description.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/byte_reader.h"
#include "base/utf8.h"

namespace thru {

namespace {

void append_short_text(Bytes &out, std::string_view text) {
    out.push_back(static_cast<std::uint8_t>(text.size()));
    append_bytes(out, as_bytes(text));
}

std::optional<std::string> take_short_text(ByteReader &reader) {
    const auto length = reader.byte();
    const auto bytes = length ? reader.bytes(*length) : std::nullopt;
    return bytes ? std::optional{std::string{as_text(*bytes)}} : std::nullopt;
}

/// A missing value means Automatic, and so does one of a later version.
RelayUse take_relay_use(ByteReader &reader) {
    const auto value = reader.byte();
    const bool known = value && *value <= static_cast<std::uint8_t>(RelayUse::Never);
    return known ? static_cast<RelayUse>(*value) : RelayUse::Automatic;
}

} // namespace

Bytes encode_description(const PeerDescription &description) {
    Bytes message;
    append_short_text(message, to_peer_name(description.name));
    if (description.relay_use != RelayUse::Automatic) {
        message.push_back(static_cast<std::uint8_t>(description.relay_use));
    }
    return message;
}

std::optional<PeerDescription> decode_description(ByteView message) {
    ByteReader reader{message};
    auto name = take_short_text(reader);
    if (!name || !is_peer_name(*name)) {
        return std::nullopt;
    }
    return PeerDescription{
        .fingerprint = {}, .name = *std::move(name), .relay_use = take_relay_use(reader)};
}

} // namespace thru

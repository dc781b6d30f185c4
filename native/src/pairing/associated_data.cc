#include "pairing/associated_data.h"

#include <algorithm>
#include <span>

#include "base/byte_reader.h"
#include "crypto/length_prefix.h"

namespace thru {

namespace {

constexpr std::string_view kReceiver = "recv";
constexpr std::string_view kSender = "send";

/// Takes a field of this exact length. The length is one byte, because all known fields are short.
std::optional<ByteView> take_field(ByteReader &reader, std::size_t length) {
    return reader.byte() == length ? reader.bytes(length) : std::nullopt;
}

bool take_text(ByteReader &reader, std::string_view text) {
    const auto field = take_field(reader, text.size());
    return field && as_text(*field) == text;
}

bool take_into(ByteReader &reader, MutableByteView out) {
    const auto field = take_field(reader, out.size());
    if (field) {
        std::ranges::copy(*field, out.begin());
    }
    return field.has_value();
}

bool is_kind(std::uint8_t kind) {
    return kind <= static_cast<std::uint8_t>(PairingSecret::Kind::Contact);
}

} // namespace

Bytes encode_data(const ReceiverData &data) {
    const auto kind = static_cast<std::uint8_t>(data.kind);
    auto bytes = lv_cat({as_bytes(kPairingLabel), as_bytes(kReceiver), data.fingerprint,
                         std::span{&kind, 1}, data.hint});
    if (data.guess) {
        append_bytes(bytes, lv_cat({*data.guess}));
    }
    return bytes;
}

Bytes encode_data(const SenderData &data) {
    return lv_cat({as_bytes(kPairingLabel), as_bytes(kSender), data.fingerprint, data.session});
}

std::optional<ReceiverData> decode_receiver_data(ByteView bytes) {
    ByteReader reader{bytes};
    ReceiverData data;
    std::uint8_t kind = 0;
    const bool complete = take_text(reader, kPairingLabel) && take_text(reader, kReceiver) &&
                          take_into(reader, data.fingerprint) &&
                          take_into(reader, std::span{&kind, 1}) && take_into(reader, data.hint);
    if (!complete || !is_kind(kind)) {
        return std::nullopt;
    }
    data.kind = static_cast<PairingSecret::Kind>(kind);
    // A field of another length belongs to a later version.
    if (GuessId guess; take_into(reader, guess)) {
        data.guess = guess;
    }
    return data;
}

std::optional<SenderData> decode_sender_data(ByteView bytes) {
    ByteReader reader{bytes};
    SenderData data;
    const bool complete = take_text(reader, kPairingLabel) && take_text(reader, kSender) &&
                          take_into(reader, data.fingerprint) && take_into(reader, data.session);
    return complete ? std::optional{data} : std::nullopt;
}

} // namespace thru

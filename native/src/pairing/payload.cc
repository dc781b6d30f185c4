#include "pairing/payload.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/byte_reader.h"
#include "crypto/base64url.h"

namespace thru {

namespace {

enum class PayloadType : std::uint8_t {
    Pake1 = 1,
    Pake2 = 2,
    Pake3 = 3,
    Pake4 = 4,
    Sealed = 5,
    Failure = 6,
};

constexpr std::size_t kCounterBytes = 8;

constexpr std::array kFailureCodes = {
    ErrorCode::CodeMismatch,     ErrorCode::CodeLocked,     ErrorCode::RateLimited,
    ErrorCode::TooManyReceivers, ErrorCode::ContactUnknown, ErrorCode::PeerVersion,
    ErrorCode::CodeRequests,
};

Bytes start_of(PayloadType type, const PairingRun &run) {
    Bytes bytes;
    bytes.push_back(kPairingVersion);
    bytes.push_back(static_cast<std::uint8_t>(type));
    append_bytes(bytes, run);
    return bytes;
}

void append_box(Bytes &out, const SealedBox &box) {
    append_bytes(out, box.nonce);
    append_bytes(out, box.content);
}

Bytes share_bytes(PayloadType type, const ShareFields &fields) {
    auto bytes = start_of(type, fields.run);
    append_bytes(bytes, fields.share);
    append_bytes(bytes, fields.data);
    return bytes;
}

Bytes proof_bytes(PayloadType type, const ProofFields &fields) {
    auto bytes = start_of(type, fields.run);
    append_bytes(bytes, fields.tag);
    append_box(bytes, fields.box);
    return bytes;
}

Bytes to_bytes(const Pake1 &payload) { return share_bytes(PayloadType::Pake1, payload); }
Bytes to_bytes(const Pake2 &payload) { return share_bytes(PayloadType::Pake2, payload); }
Bytes to_bytes(const Pake3 &payload) { return proof_bytes(PayloadType::Pake3, payload); }
Bytes to_bytes(const Pake4 &payload) { return proof_bytes(PayloadType::Pake4, payload); }

Bytes to_bytes(const SealedPayload &payload) {
    auto bytes = start_of(PayloadType::Sealed, payload.run);
    append_big_endian(bytes, payload.counter, kCounterBytes);
    append_box(bytes, payload.box);
    return bytes;
}

Bytes to_bytes(const FailurePayload &payload) {
    auto bytes = start_of(PayloadType::Failure, payload.run);
    append_bytes(bytes, as_bytes(error_name(payload.code)));
    return bytes;
}

std::unexpected<Error> malformed() {
    return fail(ErrorCode::PeerProtocol, 0, "malformed pairing payload");
}

/// Fills `field` from the front; returns false if too few bytes are left.
bool take(ByteReader &reader, MutableByteView field) {
    const auto bytes = reader.bytes(field.size());
    if (bytes) {
        std::ranges::copy(*bytes, field.begin());
    }
    return bytes.has_value();
}

Bytes take_rest(ByteReader &reader) {
    const auto rest = *reader.bytes(reader.left());
    return {rest.begin(), rest.end()};
}

bool take_box(ByteReader &reader, SealedBox &box) {
    if (!take(reader, box.nonce)) {
        return false;
    }
    box.content = take_rest(reader);
    return true;
}

template <class Payload>
Result<PairingPayload> decode_share(const PairingRun &run, ByteReader &reader) {
    Payload payload;
    payload.run = run;
    if (!take(reader, payload.share)) {
        return malformed();
    }
    payload.data = take_rest(reader);
    return payload;
}

template <class Payload>
Result<PairingPayload> decode_proof(const PairingRun &run, ByteReader &reader) {
    Payload payload;
    payload.run = run;
    if (!take(reader, payload.tag) || !take_box(reader, payload.box)) {
        return malformed();
    }
    return payload;
}

Result<PairingPayload> decode_sealed(const PairingRun &run, ByteReader &reader) {
    SealedPayload payload{.run = run, .counter = 0, .box = {}};
    const auto counter = reader.big_endian(kCounterBytes);
    if (!counter || !take_box(reader, payload.box)) {
        return malformed();
    }
    payload.counter = *counter;
    return payload;
}

Result<PairingPayload> decode_failure(const PairingRun &run, ByteReader &reader) {
    const auto name = as_text(*reader.bytes(reader.left()));
    const auto *const code = std::ranges::find(kFailureCodes, name, error_name);
    if (code == kFailureCodes.end()) {
        return malformed();
    }
    return FailurePayload{run, *code};
}

} // namespace

std::string encode_payload(const PairingPayload &payload) {
    return to_base64url(std::visit([](const auto &fields) { return to_bytes(fields); }, payload));
}

Result<PairingPayload> decode_payload(std::string_view text) {
    const auto bytes = text.size() <= kMaxPayloadBytes ? from_base64url(text) : std::nullopt;
    if (!bytes) {
        return malformed();
    }
    ByteReader reader{*bytes};
    const auto version = reader.byte();
    if (version && *version != kPairingVersion) {
        return fail(ErrorCode::PeerVersion, *version, "other version of pairing");
    }
    PairingRun run;
    const auto type = reader.byte();
    if (!type || !take(reader, run)) {
        return malformed();
    }
    switch (static_cast<PayloadType>(*type)) {
    case PayloadType::Pake1:
        return decode_share<Pake1>(run, reader);
    case PayloadType::Pake2:
        return decode_share<Pake2>(run, reader);
    case PayloadType::Pake3:
        return decode_proof<Pake3>(run, reader);
    case PayloadType::Pake4:
        return decode_proof<Pake4>(run, reader);
    case PayloadType::Sealed:
        return decode_sealed(run, reader);
    case PayloadType::Failure:
        return decode_failure(run, reader);
    }
    return malformed();
}

} // namespace thru

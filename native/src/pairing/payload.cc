#include "pairing/payload.h"

#include <algorithm>
#include <utility>

#include "base/byte_reader.h"
#include "crypto/base64url.h"

namespace thru {

namespace {

constexpr std::uint8_t kSealed = 1;
constexpr std::uint8_t kFailure = 2;
constexpr std::size_t kCounterBytes = 8;

void append_start(Bytes &out, std::uint8_t kind, const PairingRun &run) {
    out.push_back(kPairingVersion);
    out.push_back(kind);
    append_bytes(out, run);
}

std::unexpected<Error> malformed() {
    return fail(ErrorCode::PeerProtocol, 0, "malformed pairing payload");
}

Result<PairingPayload> decode_sealed(const PairingRun &run, ByteReader &reader) {
    SealedPayload sealed{.run = run, .counter = 0, .nonce = {}, .box = {}};
    const auto counter = reader.big_endian(kCounterBytes);
    const auto nonce = reader.bytes(sealed.nonce.size());
    const auto box = reader.bytes(reader.left());
    if (!counter || !nonce || !box) {
        return malformed();
    }
    sealed.counter = *counter;
    std::ranges::copy(*nonce, sealed.nonce.begin());
    sealed.box.assign(box->begin(), box->end());
    return sealed;
}

Result<PairingPayload> decode_failure(const PairingRun &run, ByteReader &reader) {
    const auto name = reader.bytes(reader.left());
    for (const auto code : {ErrorCode::CodeMismatch, ErrorCode::PeerVersion}) {
        if (name && as_text(*name) == error_name(code)) {
            return FailurePayload{run, code};
        }
    }
    return malformed();
}

} // namespace

std::string encode_payload(const PairingPayload &payload) {
    Bytes bytes;
    if (const auto *sealed = std::get_if<SealedPayload>(&payload)) {
        append_start(bytes, kSealed, sealed->run);
        append_big_endian(bytes, sealed->counter, kCounterBytes);
        append_bytes(bytes, sealed->nonce);
        append_bytes(bytes, sealed->box);
    } else if (const auto *failure = std::get_if<FailurePayload>(&payload)) {
        append_start(bytes, kFailure, failure->run);
        append_bytes(bytes, as_bytes(error_name(failure->code)));
    }
    return to_base64url(bytes);
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
    const auto kind = reader.byte();
    const auto run_bytes = reader.bytes(run.size());
    if (!kind || !run_bytes) {
        return malformed();
    }
    std::ranges::copy(*run_bytes, run.begin());
    return *kind == kSealed    ? decode_sealed(run, reader)
           : *kind == kFailure ? decode_failure(run, reader)
                               : malformed();
}

} // namespace thru

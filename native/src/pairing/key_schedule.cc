#include "pairing/key_schedule.h"

#include <array>
#include <cstdint>

#include "base/byte_reader.h"
#include "crypto/hkdf.h"
#include "crypto/length_prefix.h"
#include "pairing/associated_data.h"

namespace thru {

namespace {

constexpr std::string_view kConfirmationLabel = "CPaceMac";
constexpr std::string_view kSalt = "thru/1 pair keys";
constexpr std::size_t kSafetyDigits = 6;

/// Derives keys from `root` and the whole exchange.
class Expansion {
public:
    Expansion(const PseudorandomKey &root, ByteView transcript)
        : root_(root), transcript_(transcript) {}

    void fill(std::string_view label, MutableByteView out) const {
        Bytes info;
        append_bytes(info, as_bytes(label));
        append_bytes(info, transcript_);
        hkdf_expand_sha512(root_, info, out);
    }
    SecretKey key(std::string_view label) const {
        SecretKey key;
        fill(label, key.mutable_view());
        return key;
    }

private:
    const PseudorandomKey &root_;
    ByteView transcript_;
};

LongDigest tag(ByteView mac_key, ByteView share, ByteView data) {
    return hmac_sha512(mac_key, lv_cat({share, data}));
}

/// Explicit key confirmation of the draft, using HMAC.
void make_tags(KeySchedule &schedule, const PairingTranscript &transcript, const CpaceKey &key) {
    Bytes input;
    input.reserve(kConfirmationLabel.size() + transcript.run.size() + key.view().size());
    append_bytes(input, as_bytes(kConfirmationLabel));
    append_bytes(input, transcript.run);
    append_bytes(input, key.view());
    auto mac_key = sha512(input);
    wipe(input);
    schedule.receiver_tag = tag(mac_key, transcript.receiver_share, transcript.receiver_data);
    schedule.sender_tag = tag(mac_key, transcript.sender_share, transcript.sender_data);
    wipe(mac_key);
}

IceCredentials ice_credentials(const Expansion &expansion, std::string_view label) {
    SecretBytes<kIceCredentialBytes> bytes;
    expansion.fill(label, bytes.mutable_view());
    return thru::ice_credentials(bytes.view());
}

std::string safety_digits(const Expansion &expansion) {
    std::array<std::uint8_t, 4> bytes{};
    expansion.fill("verify", bytes);
    auto number = *ByteReader{bytes}.big_endian(bytes.size());
    std::string digits(kSafetyDigits, '0');
    for (auto at = digits.size(); at > 0; --at) {
        digits[at - 1] = static_cast<char>('0' + number % 10);
        number /= 10;
    }
    return digits;
}

} // namespace

Bytes channel_of(std::string_view nameplate) {
    return lv_cat(
        {as_bytes(kPairingLabel), as_bytes("recv"), as_bytes("send"), as_bytes(nameplate)});
}

GuessId guess_of(const LongDigest &transcript, const LongDigest &receiver_tag) {
    return sha512(lv_cat({as_bytes(kPairingLabel), as_bytes("guess"), transcript, receiver_tag}));
}

KeySchedule schedule_keys(const PairingTranscript &transcript, const CpaceKey &key) {
    KeySchedule schedule;
    make_tags(schedule, transcript, key);
    schedule.keys.transcript =
        sha512(lv_cat({as_bytes(kPairingLabel), as_bytes(transcript.nameplate), transcript.run,
                       transcript.receiver_share, transcript.receiver_data, transcript.sender_share,
                       transcript.sender_data}));
    const auto root = hkdf_extract_sha512(as_bytes(kSalt), key.view());
    const Expansion expansion{root, schedule.keys.transcript};
    schedule.receiver_boxes = expansion.key("sig r2s");
    schedule.sender_boxes = expansion.key("sig s2r");
    schedule.receiver_ice = ice_credentials(expansion, "ice r");
    schedule.sender_ice = ice_credentials(expansion, "ice s");
    schedule.keys.bind_receiver = expansion.key("bind r");
    schedule.keys.bind_sender = expansion.key("bind s");
    schedule.keys.resume = expansion.key("resume");
    schedule.keys.safety = safety_digits(expansion);
    return schedule;
}

} // namespace thru

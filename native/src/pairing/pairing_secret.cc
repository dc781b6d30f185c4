#include "pairing/pairing_secret.h"

#include <algorithm>

#include "base/byte_reader.h"
#include "crypto/digest.h"

namespace thru {

namespace {

/// Computed, not looked up: where in a table one reads may show in the time it takes.
char hex_digit(unsigned value) {
    return static_cast<char>(value < 10 ? '0' + value : 'a' + (value - 10));
}

} // namespace

PairingSecret PairingSecret::words(std::string words) {
    PairingSecret secret{Kind::Words, words};
    wipe(words);
    return secret;
}

PairingSecret PairingSecret::key(Kind kind, const SecretKey &key) {
    std::string text;
    text.reserve(2 * key.view().size());
    for (const auto byte : key.view()) {
        text += hex_digit(byte >> 4U);
        text += hex_digit(byte & 0xfU);
    }
    PairingSecret secret{kind, text};
    wipe(text);
    return secret;
}

PairingSecret &PairingSecret::operator=(const PairingSecret &other) {
    if (this != &other) {
        wipe(text_);
        kind_ = other.kind_;
        text_ = other.text_;
    }
    return *this;
}

SecretHint PairingSecret::hint(const PairingRun &run) const {
    SecretHint hint{};
    if (kind_ != Kind::Words) {
        Bytes message;
        append_bytes(message, as_bytes("hint"));
        append_bytes(message, run);
        std::ranges::copy_n(hmac_sha256(view(), message).begin(), std::ssize(hint), hint.begin());
    }
    return hint;
}

} // namespace thru

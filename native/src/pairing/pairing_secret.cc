#include "pairing/pairing_secret.h"

#include <algorithm>

#include "base/byte_reader.h"
#include "crypto/digest.h"

namespace thru {

PairingSecret PairingSecret::words(std::string words) {
    PairingSecret secret{Kind::Words, words};
    wipe(words);
    return secret;
}

PairingSecret PairingSecret::key(Kind kind, const SecretKey &key) {
    auto text = hex_digits(key.view());
    PairingSecret secret{kind, text};
    wipe(text);
    return secret;
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

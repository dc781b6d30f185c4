#include "crypto/secret_key.h"

#include <sodium.h>

namespace thru {

void wipe(MutableByteView secret) { sodium_memzero(secret.data(), secret.size()); }

void wipe(std::string &secret) {
    sodium_memzero(secret.data(), secret.size());
    secret.clear();
}

SecretText &SecretText::operator=(const SecretText &other) {
    if (this != &other) {
        wipe(text_);
        text_ = other.text_;
    }
    return *this;
}

std::string hex_digits(ByteView secret) {
    std::string digits(2 * secret.size() + 1, '\0');
    sodium_bin2hex(digits.data(), digits.size(), secret.data(), secret.size());
    digits.pop_back();
    return digits;
}

} // namespace thru

#include "crypto/ice_credentials.h"

#include <string_view>

namespace thru {

namespace {

constexpr std::size_t kUfragDigits = 8;

} // namespace

IceCredentials ice_credentials(ByteView bytes) {
    auto digits = hex_digits(bytes.first(kIceCredentialBytes));
    const std::string_view text = digits;
    IceCredentials credentials{.ufrag = std::string(text.substr(0, kUfragDigits)),
                               .pwd = SecretText(text.substr(kUfragDigits))};
    wipe(digits);
    return credentials;
}

} // namespace thru

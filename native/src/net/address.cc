#include "net/address.h"

#include <cstring>

#include "net/gio.h"

// Each system declares addresses in its own header.
#include <gio/gnetworking.h>

namespace thru {

Address::Address(const sockaddr &address) {
    if (address.sa_family == AF_INET) {
        sockaddr_in copy{};
        const auto &given = reinterpret_cast<const sockaddr_in &>(address);
        copy.sin_family = AF_INET;
        copy.sin_port = given.sin_port;
        copy.sin_addr = given.sin_addr;
        size_ = sizeof copy;
        std::memcpy(bytes_.data(), &copy, sizeof copy);
    } else if (address.sa_family == AF_INET6) {
        sockaddr_in6 copy{};
        const auto &given = reinterpret_cast<const sockaddr_in6 &>(address);
        copy.sin6_family = AF_INET6;
        copy.sin6_port = given.sin6_port;
        copy.sin6_addr = given.sin6_addr;
        copy.sin6_scope_id = given.sin6_scope_id;
        static_assert(sizeof copy == kMaxBytes);
        size_ = sizeof copy;
        std::memcpy(bytes_.data(), &copy, sizeof copy);
    }
}

} // namespace thru

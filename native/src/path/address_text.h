// Addresses formatted for people. Private to path/.
#pragma once

#include <array>
#include <string>

#include "loop/glib.h"

#include <nice/agent.h>

namespace thru {

inline std::string address_text(const std::string &host, guint port) {
    const bool ipv6 = host.find(':') != std::string::npos;
    return (ipv6 ? "[" + host + "]:" : host + ":") + std::to_string(port);
}

inline std::string address_text(const NiceAddress &address) {
    std::array<gchar, NICE_ADDRESS_STRING_LEN> text{};
    nice_address_to_string(&address, text.data());
    return address_text(text.data(), nice_address_get_port(&address));
}

} // namespace thru

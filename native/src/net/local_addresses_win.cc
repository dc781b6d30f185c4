#include <algorithm>
#include <memory>

#include <winsock2.h>
#include <ws2tcpip.h>

#include <iphlpapi.h>

#include "net/local_addresses.h"

namespace thru {

std::vector<std::string> local_addresses() {
    MIB_UNICASTIPADDRESS_TABLE *table = nullptr;
    if (GetUnicastIpAddressTable(AF_UNSPEC, &table) != NO_ERROR) {
        return {};
    }
    const std::unique_ptr<MIB_UNICASTIPADDRESS_TABLE, decltype(&FreeMibTable)> owner(table,
                                                                                     FreeMibTable);
    std::vector<std::string> addresses;
    for (ULONG index = 0; index < table->NumEntries; ++index) {
        const auto &row = table->Table[index];
        // Addresses that are tentative, or whose interface is disconnected, are not preferred.
        if (row.DadState != IpDadStatePreferred && row.DadState != IpDadStateDeprecated) {
            continue;
        }
        auto key = address_key(reinterpret_cast<const sockaddr &>(row.Address));
        if (!key.empty()) {
            addresses.push_back(std::move(key));
        }
    }
    std::ranges::sort(addresses);
    return addresses;
}

} // namespace thru

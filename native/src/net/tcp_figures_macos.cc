#include "net/tcp_figures.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace thru {

std::optional<TcpFigures> tcp_figures(int descriptor) {
    tcp_connection_info info{};
    socklen_t size = sizeof info;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_CONNECTION_INFO, &info, &size) != 0) {
        return std::nullopt;
    }
    return TcpFigures{.sent = info.tcpi_txpackets,
                      .repeated = info.tcpi_txretransmitpackets,
                      .round_trip = info.tcpi_srtt * kMillisecond};
}

} // namespace thru

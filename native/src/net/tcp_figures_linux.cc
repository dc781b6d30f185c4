#include "net/tcp_figures.h"

#include <cstddef>

// The kernel's own header: glibc's tcp_info lacks the newer counts.
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace thru {

std::optional<TcpFigures> tcp_figures(int descriptor) {
    tcp_info info{};
    socklen_t size = sizeof info;
    constexpr auto kNeeded =
        offsetof(tcp_info, tcpi_data_segs_out) + sizeof info.tcpi_data_segs_out;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 || size < kNeeded) {
        return std::nullopt;
    }
    return TcpFigures{.sent = info.tcpi_data_segs_out,
                      .repeated = info.tcpi_total_retrans,
                      .round_trip = info.tcpi_min_rtt * kMicrosecond};
}

} // namespace thru

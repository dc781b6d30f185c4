#include "net/tcp_figures.h"

#include <winsock2.h>

#include <mstcpip.h>

namespace thru {

std::optional<TcpFigures> tcp_figures(int descriptor) {
    DWORD version = 0;
    TCP_INFO_v0 info{};
    DWORD size = 0;
    if (WSAIoctl(static_cast<SOCKET>(descriptor), SIO_TCP_INFO, &version, sizeof version, &info,
                 sizeof info, &size, nullptr, nullptr) != 0 ||
        info.Mss == 0) {
        return std::nullopt;
    }
    // Windows counts bytes.
    return TcpFigures{.sent = info.BytesOut / info.Mss,
                      .repeated = info.BytesRetrans / info.Mss,
                      .round_trip = info.MinRttUs * kMicrosecond};
}

} // namespace thru

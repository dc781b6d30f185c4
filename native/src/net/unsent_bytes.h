// Bytes for a TCP connection that the system has not taken yet. Private to path/.
#pragma once

#include <cstddef>

#include "net/tcp_socket.h"

namespace thru {

class UnsentBytes {
public:
    /// Where more are appended.
    Bytes &end() { return bytes_; }
    bool empty() const { return bytes_.empty(); }
    /// The system has so many of them already, but not all.
    void skip(std::size_t bytes) { sent_ += bytes; }
    /// As many as the system takes now. A broken connection shows when it is read.
    void write_to(TcpSocket &socket) {
        while (sent_ < bytes_.size()) {
            const auto taken = socket.write(ByteView{bytes_}.subspan(sent_));
            if (!taken || *taken == 0) {
                return;
            }
            sent_ += *taken;
        }
        bytes_.clear();
        sent_ = 0;
    }

private:
    Bytes bytes_;
    std::size_t sent_ = 0;
};

} // namespace thru

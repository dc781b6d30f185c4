// Bytes for a TCP connection that the system has not accepted yet.
#pragma once

#include <cstddef>

#include "net/tcp_socket.h"

namespace thru {

class UnsentBytes {
public:
    /// The buffer to append to.
    Bytes &end() { return bytes_; }
    bool empty() const { return bytes_.empty(); }
    /// Skips the first `bytes`, which the system already has; at least one more must remain.
    void skip(std::size_t bytes) { sent_ += bytes; }
    /// Writes as many bytes as the system accepts. A broken connection is noticed when it is read.
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

// Sockets passed to the system again for each wait.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "loop/glib.h"

namespace thru {

class PolledSockets {
public:
    /// See SocketSet::set.
    void set(int socket, bool reads, bool writes) {
        const auto events = static_cast<gushort>((reads ? unsigned{G_IO_IN} : 0U) |
                                                 (writes ? unsigned{G_IO_OUT} : 0U));
        const auto found = std::ranges::find_if(sockets_, [socket](const GPollFD &each) {
            return static_cast<int>(each.fd) == socket;
        });
        if (found == sockets_.end()) {
            if (events != 0) {
                sockets_.push_back({socket, events, 0});
            }
        } else if (events != 0) {
            found->events = events;
        } else {
            sockets_.erase(found);
        }
    }
    const std::vector<GPollFD> &all() const { return sockets_; }
    void clear() { sockets_.clear(); }

    /// See SocketSet::before_wait.
    void before_wait(std::vector<GPollFD> &polled) const {
        polled.insert(polled.end(), sockets_.begin(), sockets_.end());
    }
    /// See SocketSet::after_wait.
    static void after_wait(std::span<const GPollFD> waited, std::vector<int> &ready) {
        for (const auto &each : waited) {
            if (each.revents != 0) {
                ready.push_back(static_cast<int>(each.fd));
            }
        }
    }

private:
    std::vector<GPollFD> sockets_;
};

} // namespace thru

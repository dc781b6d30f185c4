// The sockets that an event loop watches. If the system can keep such a set itself, a wait with a
// thousand sockets costs as much as with one. Used on the loop's thread only.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "loop/glib.h"

namespace thru {

/// Up to this number, listing the sockets for each wait is just as cheap.
inline constexpr std::size_t kFewSockets = 16;

class SocketSet {
public:
    SocketSet();
    ~SocketSet();
    SocketSet(const SocketSet &) = delete;
    SocketSet &operator=(const SocketSet &) = delete;

    /// Sets the events to wait for. Without any the socket leaves the set, as before closing.
    void set(int socket, bool reads, bool writes);
    /// Appends the descriptors for `wait_for`.
    void before_wait(std::vector<GPollFD> &polled) const;
    /// Appends the ready sockets. `waited` has the descriptors from before_wait, after the wait.
    /// Sockets beyond a turn's limit are reported by the next wait.
    void after_wait(std::span<const GPollFD> waited, std::vector<int> &ready) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace thru

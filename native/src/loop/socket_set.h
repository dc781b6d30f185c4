// The sockets that an event loop watches. Where the system can keep many of them itself, a wait
// with a thousand costs as much as with one. Used on the loop's thread only.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "loop/glib.h"

namespace thru {

/// Up to so many are as cheap to list for each wait.
inline constexpr std::size_t kFewSockets = 16;

class SocketSet {
public:
    SocketSet();
    ~SocketSet();
    SocketSet(const SocketSet &) = delete;
    SocketSet &operator=(const SocketSet &) = delete;

    /// What is waited for from now on. With neither, the socket is no longer in the set; it has to
    /// be out of it before it is closed.
    void set(int socket, bool reads, bool writes);
    /// Appends what `wait_for` has to wait for.
    void before_wait(std::vector<GPollFD> &polled) const;
    /// Appends sockets that are ready. `waited` is what before_wait appended, after the wait. What
    /// is left over is ready in the next wait.
    void after_wait(std::span<const GPollFD> waited, std::vector<int> &ready) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace thru

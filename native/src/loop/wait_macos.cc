#include <algorithm>
#include <cerrno>
#include <ctime>
#include <vector>

#include <pthread.h>
#include <sys/event.h>
#include <unistd.h>

#include "loop/wait.h"

namespace thru {

namespace {

/// On macOS, poll() counts in milliseconds and select() supports no descriptor above 1023. A kernel
/// queue waits for nanoseconds on any descriptor.
class EventQueue {
public:
    EventQueue() : descriptor_(kqueue()) {}
    ~EventQueue() {
        if (descriptor_ >= 0) {
            ::close(descriptor_);
        }
    }
    EventQueue(const EventQueue &) = delete;
    EventQueue &operator=(const EventQueue &) = delete;

    bool is_open() const { return descriptor_ >= 0; }

    void wait_for(std::span<GPollFD> descriptors, Timestamp nanoseconds) {
        events_.clear();
        for (auto &each : descriptors) {
            each.revents = 0;
            // Events are one-shot and registered anew each turn: a leftover one wakes at most once.
            if ((each.events & G_IO_IN) != 0) {
                add(each, EVFILT_READ);
            }
            if ((each.events & G_IO_OUT) != 0) {
                add(each, EVFILT_WRITE);
            }
        }
        const auto asked = static_cast<int>(events_.size());
        // One more than requested, for a leftover event of an earlier turn.
        happened_.resize(events_.size() + 1);
        const timespec timeout{static_cast<time_t>(nanoseconds / kSecond),
                               static_cast<long>(nanoseconds % kSecond)};
        const int count = kevent(descriptor_, events_.data(), asked, happened_.data(),
                                 static_cast<int>(happened_.size()), &timeout);
        for (int index = 0; index < count; ++index) {
            mark(descriptors, happened_[static_cast<std::size_t>(index)]);
        }
    }

private:
    void add(const GPollFD &polled, std::int16_t filter) {
        struct kevent event{};
        EV_SET(&event, static_cast<uintptr_t>(polled.fd), filter, EV_ADD | EV_ONESHOT, 0, 0,
               nullptr);
        events_.push_back(event);
    }

    static void mark(std::span<GPollFD> descriptors, const struct kevent &event) {
        unsigned flags = event.filter == EVFILT_WRITE ? G_IO_OUT : G_IO_IN;
        if ((event.flags & EV_ERROR) != 0) {
            flags = event.data == EBADF ? G_IO_NVAL : G_IO_ERR;
        } else if ((event.flags & EV_EOF) != 0) {
            flags |= G_IO_HUP;
        }
        for (auto &each : descriptors) {
            const bool wanted = (flags & (each.events | G_IO_ERR | G_IO_HUP | G_IO_NVAL)) != 0;
            if (static_cast<uintptr_t>(each.fd) == event.ident && wanted) {
                each.revents = static_cast<gushort>(
                    each.revents | (flags & (each.events | G_IO_ERR | G_IO_HUP | G_IO_NVAL)));
            }
        }
    }

    int descriptor_;
    std::vector<struct kevent> events_;
    std::vector<struct kevent> happened_;
};

} // namespace

void prepare_waiting_thread() {
    // The system coalesces the timers of user-interactive threads least.
    static_cast<void>(pthread_set_qos_class_self_np(QOS_CLASS_USER_INTERACTIVE, 0));
}

void wait_for(std::span<GPollFD> descriptors, std::size_t, Timestamp nanoseconds) {
    constexpr Timestamp kLongest = 60 * kSecond;
    thread_local EventQueue queue;
    if (queue.is_open()) {
        queue.wait_for(descriptors, std::min(nanoseconds, kLongest));
        return;
    }
    // No descriptor is free for a queue. Rounded down so that pacing is never late.
    g_poll(descriptors.data(), static_cast<guint>(descriptors.size()),
           static_cast<gint>(std::min(nanoseconds, kLongest) / kMillisecond));
}

} // namespace thru

#include "loop/timeout.h"

#include <utility>

namespace thru {

void Timeout::start(const EventLoop &loop, guint milliseconds, std::function<void()> call) {
    stop();
    call_ = std::move(call);
    source_ = g_timeout_source_new(milliseconds);
    g_source_set_callback(
        source_,
        [](gpointer user) -> gboolean {
            auto &timeout = *static_cast<Timeout *>(user);
            g_source_unref(std::exchange(timeout.source_, nullptr));
            const auto due = std::exchange(timeout.call_, nullptr);
            due();
            return G_SOURCE_REMOVE;
        },
        this, nullptr);
    g_source_attach(source_, loop.context());
}

void Timeout::stop() {
    if (source_ != nullptr) {
        g_source_destroy(source_);
        g_source_unref(std::exchange(source_, nullptr));
    }
    call_ = nullptr;
}

} // namespace thru

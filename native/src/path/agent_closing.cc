#include "path/agent_closing.h"

#include <utility>

namespace thru {

void close_agent(EventLoop &loop, NiceAgent *agent, std::unique_ptr<RelayDoors> doors) {
    struct Closing {
        EventLoop &loop;
        std::unique_ptr<RelayDoors> doors;
    };
    loop.add_pending();
    // GLib tells the end in the thread's default context, and only this one is run.
    g_main_context_push_thread_default(loop.context());
    nice_agent_close_async(
        agent,
        [](GObject *closed, GAsyncResult *, gpointer user) {
            const std::unique_ptr<Closing> closing(static_cast<Closing *>(user));
            closing->loop.remove_pending();
            g_object_unref(closed);
        },
        new Closing{loop, std::move(doors)});
    g_main_context_pop_thread_default(loop.context());
}

} // namespace thru

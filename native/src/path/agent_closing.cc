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
            g_object_unref(closed);
            // libnice may be in the middle of reading a connection to one of the doors. When it
            // reads the end of that, it aborts the process: the doors close a turn later.
            GSource *turn = g_idle_source_new();
            g_source_set_priority(turn, G_PRIORITY_DEFAULT);
            g_source_set_callback(
                turn, [](gpointer) -> gboolean { return G_SOURCE_REMOVE; }, user,
                [](gpointer left) {
                    const std::unique_ptr<Closing> closing(static_cast<Closing *>(left));
                    closing->loop.remove_pending();
                });
            g_source_attach(turn, static_cast<Closing *>(user)->loop.context());
            g_source_unref(turn);
        },
        new Closing{loop, std::move(doors)});
    g_main_context_pop_thread_default(loop.context());
}

} // namespace thru

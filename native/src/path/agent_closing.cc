#include "path/agent_closing.h"

namespace thru {

void close_agent(EventLoop &loop, NiceAgent *agent, std::unique_ptr<RelayDoors> doors) {
    // libnice may be reading a connection to one of the doors when it tells that it is done, and
    // aborts the process when it reads that connection's end: they close with the agent's last use.
    g_object_set_data_full(G_OBJECT(agent), "doors", doors.release(), [](gpointer held) {
        const std::unique_ptr<RelayDoors> closing(static_cast<RelayDoors *>(held));
    });
    loop.add_pending();
    // GLib tells the end in the thread's default context, and only this one is run.
    g_main_context_push_thread_default(loop.context());
    nice_agent_close_async(
        agent,
        [](GObject *closed, GAsyncResult *, gpointer user) {
            static_cast<EventLoop *>(user)->remove_pending();
            g_object_unref(closed);
        },
        &loop);
    g_main_context_pop_thread_default(loop.context());
}

} // namespace thru

#include "path/agent_closing.h"

namespace thru {

void close_agent(EventLoop &loop, NiceAgent *agent,
                 std::unique_ptr<LoopbackRelayProxy> relay_proxy) {
    // libnice may still be reading a connection to a loopback port when it reports completion, and
    // aborts the process if that connection ends. So the loopback ports close with the last
    // reference to the agent.
    g_object_set_data_full(G_OBJECT(agent), "relay-proxy", relay_proxy.release(),
                           [](gpointer held) {
                               const std::unique_ptr<LoopbackRelayProxy> closing(
                                   static_cast<LoopbackRelayProxy *>(held));
                           });
    loop.add_pending();
    // GLib reports completion in the thread's default context; only this one is run.
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

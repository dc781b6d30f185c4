#pragma once

#include <memory>

#include "loop/glib.h"

#include <nice/agent.h>

#include "loop/event_loop.h"
#include "path/relay/loopback_relay_proxy.h"

namespace thru {

/// Releases relayed addresses on their servers (RFC 8656 section 7), which takes a round trip.
/// Takes the caller's reference; meanwhile the loop counts it as pending, and the loopback ports
/// stay open.
void close_agent(EventLoop &loop, NiceAgent *agent,
                 std::unique_ptr<LoopbackRelayProxy> relay_proxy);

} // namespace thru

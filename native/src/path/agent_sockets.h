// The sockets of a libnice agent's only component, and sending over its pair. Network thread only.
#pragma once

#include <functional>
#include <memory>

#include "net/datagram_path.h"
#include "net/gio.h"
#include "path/candidate_sockets.h"

#include <nice/agent.h>

namespace thru {

using SocketPointer = std::unique_ptr<GSocket, ObjectDeleter>;

/// The only component of every stream.
inline constexpr guint kIceComponent = 1;

/// Visits the UDP sockets; a relay over TCP has its own socket.
void each_socket(NiceAgent *agent, guint stream, const std::function<void(GSocket *)> &visit);
/// The UDP socket bound to a local address, or null.
SocketPointer socket_at(NiceAgent *agent, guint stream, const NiceAddress &address);
/// The descriptors of all UDP sockets but one.
std::vector<int> sockets_beside(NiceAgent *agent, guint stream, const GSocket *taken);
/// The other computer's addresses known to ICE so far.
std::vector<NiceAddress> known_remotes(NiceAgent *agent, guint stream);
/// Like DatagramPath::send, over the selected pair.
DatagramPath::Sent send_through(NiceAgent *agent, guint stream, ByteView bytes,
                                std::size_t segment);

} // namespace thru

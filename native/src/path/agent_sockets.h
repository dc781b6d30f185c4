// What an agent of libnice has for its one component: sockets, and a way to send over its pair.
// Used on the network thread only.
#pragma once

#include <functional>
#include <memory>

#include "net/datagram_path.h"
#include "net/gio.h"
#include "path/other_sockets.h"

#include <nice/agent.h>

namespace thru {

using SocketPointer = std::unique_ptr<GSocket, ObjectDeleter>;

/// The only component of every stream.
inline constexpr guint kIceComponent = 1;

/// Visits those of UDP; a relay over TCP has one of its own.
void each_socket(NiceAgent *agent, guint stream, const std::function<void(GSocket *)> &visit);
/// The socket of UDP that is bound to a local address, if there is one.
SocketPointer socket_at(NiceAgent *agent, guint stream, const NiceAddress &address);
/// The descriptors of all of UDP but one.
std::vector<int> sockets_beside(NiceAgent *agent, guint stream, const GSocket *taken);
/// The addresses from which the other computer may write, as far as ICE knows by now.
std::vector<NiceAddress> known_remotes(NiceAgent *agent, guint stream);
/// As DatagramPath::send, over the chosen pair.
DatagramPath::Sent send_through(NiceAgent *agent, guint stream, ByteView bytes,
                                std::size_t segment);

} // namespace thru

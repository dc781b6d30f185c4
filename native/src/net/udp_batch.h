// Many datagrams in one system call on a socket that ICE found: segmentation offload where the
// system has it. One file per platform.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/bytes.h"
#include "net/datagram_path.h"

struct sockaddr;

namespace thru {

/// Buffers of the socket, in bytes: a burst at several Gbit/s while the loop is busy elsewhere.
inline constexpr int kSocketBufferBytes = 8 << 20;

/// Bytes that fit into a socket in each direction.
struct SocketBuffers {
    std::uint64_t receive = 0;
    std::uint64_t send = 0;
};

/// Largest received batch, in bytes.
inline constexpr std::size_t kReceiveBatchBytes = 64 * 1024;

/// Prepares a socket for bursts, and for datagrams that find the path's MTU themselves: none is
/// split on its way, by this computer neither. Asks for `buffer_bytes` in each direction, and
/// returns what the system gave.
SocketBuffers prepare_socket(int socket, int buffer_bytes);
/// Lets the system join received datagrams; off again before libnice reads the socket.
void set_receive_batching(int socket, bool on);

/// A socket that batches are sent on; the descriptor stays its owner's.
struct BatchSocket {
    int descriptor = -1;
    /// Cleared once the device has said that it can't segment.
    bool segmentation = true;
};

/// Sends datagrams of `segment` bytes (the last may be shorter) to `to`. Datagrams that the network
/// refuses count as sent.
DatagramPath::Sent send_batch(BatchSocket &socket, ByteView bytes, std::size_t segment,
                              const sockaddr *to, std::size_t to_size);

/// Takes datagrams that lie one after another in `bytes`, each of `segment` bytes but the last,
/// which may be shorter. All of them came from one address.
using TakeDatagrams =
    std::function<void(ByteView bytes, std::size_t segment, const sockaddr &from)>;
/// Reads what one call to the system gives into `buffer` of kReceiveBatchBytes, and passes it on,
/// in several pieces where the system keeps datagrams apart. Empty ones are passed over. False when
/// nothing is there.
bool receive_batch(int socket, MutableByteView buffer, const TakeDatagrams &take);

} // namespace thru

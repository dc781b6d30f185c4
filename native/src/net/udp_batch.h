// Many datagrams in one system call on a socket that ICE found, with segmentation offload where the
// system has it. One file per platform.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/bytes.h"
#include "net/datagram_path.h"

struct sockaddr;

namespace thru {

/// Buffer size of a socket, in bytes: holds a burst at several Gbit/s while the loop is busy.
inline constexpr int kSocketBufferBytes = 8 << 20;

/// Capacity of a socket in each direction, in bytes.
struct SocketBuffers {
    std::uint64_t receive = 0;
    std::uint64_t send = 0;
};

inline constexpr std::size_t kReceiveBatchBytes = 64 * 1024;

/// Prepares a socket for bursts and for path MTU discovery: its datagrams are never fragmented, not
/// even locally. Requests `buffer_bytes` in each direction and returns the granted sizes.
SocketBuffers prepare_socket(int socket, int buffer_bytes);
/// Lets the system join received datagrams. Turn this off before libnice reads the socket.
void set_receive_batching(int socket, bool on);

/// A socket for sending batches; the descriptor belongs to its owner.
struct BatchSocket {
    int descriptor = -1;
    /// Cleared once the device turns out not to support segmentation.
    bool segmentation = true;
};

/// Sends datagrams of `segment` bytes; the last may be shorter. Refused ones count as sent.
DatagramPath::Sent send_batch(BatchSocket &socket, ByteView bytes, std::size_t segment,
                              const sockaddr *to, std::size_t to_size);

/// Takes the consecutive datagrams in `bytes`, each of `segment` bytes except the last, which may
/// be shorter. All of them came from one address.
using TakeDatagrams =
    std::function<void(ByteView bytes, std::size_t segment, const sockaddr &from)>;
/// Reads the result of one system call into `buffer` of kReceiveBatchBytes. Passes it on, in pieces
/// if the system keeps datagrams apart. Skips empty datagrams. False if there was nothing to read.
bool receive_batch(int socket, MutableByteView buffer, const TakeDatagrams &take);

} // namespace thru

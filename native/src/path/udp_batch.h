// Many datagrams in one system call on a socket that ICE found: segmentation offload where the
// system has it. One file per platform.
#pragma once

#include <cstddef>
#include <span>

#include "base/bytes.h"

struct sockaddr;

namespace thru {

/// Buffers of the socket, in bytes: a burst at several Gbit/s while the loop is busy elsewhere.
inline constexpr int kSocketBufferBytes = 8 << 20;

/// Largest received batch, in bytes.
inline constexpr std::size_t kReceiveBatchBytes = 64 * 1024;

/// Prepares a socket for datagrams that find the path's MTU themselves.
void prepare_socket(int socket);
/// Lets the system join received datagrams; off again before libnice reads the socket.
void set_receive_batching(int socket, bool on);

/// Sends datagrams of `segment` bytes (the last may be shorter) to `to`. Returns the bytes taken;
/// fewer than given when the socket is full. Datagrams that the network refuses count as taken.
std::size_t send_batch(int socket, ByteView bytes, std::size_t segment, const sockaddr *to,
                       std::size_t to_size);

struct ReceivedBatch {
    /// 0 when nothing is there.
    std::size_t size = 0;
    /// Length of each datagram but the last.
    std::size_t segment = 0;
};
ReceivedBatch receive_batch(int socket, MutableByteView buffer);

} // namespace thru

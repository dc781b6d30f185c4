#include "quic_loopback.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/buffer_pool.h"
#include "base/clock.h"
#include "cpu_time.h"
#include "net/udp_batch.h"
#include "quic/connection.h"
#include "sim/bulk_receiver.h"
#include "wire/segment.h"

namespace thru {

namespace {

constexpr std::uint64_t kMaxBuffered = 48ULL << 20;
constexpr int kBatchesPerTurn = 16;

/// A bound loopback socket that sends to another one.
class LoopbackPath final : public DatagramPath {
public:
    LoopbackPath() : socket_{.descriptor = ::socket(AF_INET, SOCK_DGRAM, 0)} {
        sockaddr_in own = loopback(0);
        bind(socket(), reinterpret_cast<sockaddr *>(&own), sizeof own);
        prepare_socket(socket(), kSocketBufferBytes);
        set_receive_batching(socket(), true);
    }
    ~LoopbackPath() override { ::close(socket()); }

    void send_to(const LoopbackPath &other) { remote_ = loopback(other.port()); }
    Sent send(ByteView bytes, std::size_t segment, const PathId &) override {
        return send_batch(socket_, bytes, segment, reinterpret_cast<const sockaddr *>(&remote_),
                          sizeof remote_);
    }
    int socket() const { return socket_.descriptor; }

private:
    static sockaddr_in loopback(std::uint16_t port) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = port;
        return address;
    }
    std::uint16_t port() const {
        sockaddr_in address{};
        socklen_t size = sizeof address;
        getsockname(socket(), reinterpret_cast<sockaddr *>(&address), &size);
        return address.sin_port;
    }

    BatchSocket socket_;
    sockaddr_in remote_{};
};

/// One turn of an end's loop: reads, runs timers, sends, then waits.
template <class BeforeSending>
void turn(Connection &connection, LoopbackPath &path, Bytes &buffer, BeforeSending before_sending) {
    for (int batch = 0; batch < kBatchesPerTurn; ++batch) {
        const bool received = receive_batch(
            path.socket(), buffer, [&](ByteView bytes, std::size_t segment, const sockaddr &) {
                connection.on_datagrams(bytes, segment, monotonic_now());
            });
        if (!received) {
            break;
        }
    }
    const auto now = monotonic_now();
    connection.on_deadline(now);
    before_sending();
    const auto outcome = connection.flush(path, now);
    if (outcome == FlushOutcome::More) {
        return;
    }
    const auto until = std::min(connection.deadline(), now + 5 * kMillisecond);
    const auto later = monotonic_now();
    const auto wait = until > later ? until - later : 0;
    const timespec timeout{0, static_cast<long>(wait)};
    const short events = outcome == FlushOutcome::PathBusy ? POLLIN | POLLOUT : POLLIN;
    pollfd descriptor{path.socket(), events, 0};
    ppoll(&descriptor, 1, &timeout, nullptr);
}

struct SendingEnd final : ConnectionListener {
    void on_established() override {}
    void on_stream_data(StreamId, ByteView, bool) override {}
    void on_stream_reset(StreamId) override {}
    void on_stream_closed(StreamId) override {}
};

} // namespace

LoopbackFigures send_over_loopback(std::uint64_t bytes, CongestionControl congestion_control) {
    const auto total = std::max<std::uint64_t>(1, bytes / kSegmentBytes) * kSegmentBytes;
    const auto sender_identity = Identity::create();
    const auto receiver_identity = Identity::create();
    const ConnectionSettings settings{.congestion_control = congestion_control};
    LoopbackPath sender_path;
    LoopbackPath receiver_path;
    sender_path.send_to(receiver_path);
    receiver_path.send_to(sender_path);
    std::atomic<bool> done{false};
    LoopbackFigures figures{.bytes = total};
    const auto begun = monotonic_now();

    std::thread receiver([&] {
        sim::BulkReceiver end;
        auto connection =
            *Connection::client(*receiver_identity->client_context(sender_identity->fingerprint()),
                                settings, end, monotonic_now());
        end.connection = connection.get();
        Bytes buffer(kReceiveBatchBytes);
        while (end.received < total) {
            turn(*connection, receiver_path, buffer, [] {});
        }
        done = true;
        figures.receiver_cpu = thread_cpu_seconds();
    });

    SendingEnd end;
    const auto connection = Connection::server(
        *sender_identity->server_context(receiver_identity->fingerprint()), settings, end);
    Bytes buffer(kReceiveBatchBytes);
    const auto chunk = std::make_shared<Bytes>(kChunkBytes, std::uint8_t{7});
    std::uint64_t queued = 0;
    StreamId stream = -1;
    const auto cpu_before = thread_cpu_seconds();
    while (!done) {
        turn(*connection, sender_path, buffer, [&] {
            while (connection->established() && queued < total &&
                   connection->unacknowledged_bytes() < kMaxBuffered) {
                if (stream < 0) {
                    const auto opened = connection->open_unidirectional();
                    if (!opened) {
                        return;
                    }
                    stream = *opened;
                }
                queued += kChunkBytes;
                const bool last = queued % kSegmentBytes == 0;
                connection->write(stream, Chunk{chunk, kChunkBytes}, last);
                if (last) {
                    stream = -1;
                }
            }
        });
    }
    receiver.join();
    figures.seconds = static_cast<double>(monotonic_now() - begun) * 1e-9;
    figures.sender_cpu = thread_cpu_seconds() - cpu_before;
    return figures;
}

} // namespace thru

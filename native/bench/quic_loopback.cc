// thru_bench [MiB] [runs]: one QUIC connection over loopback UDP, memory to memory, one thread for
// each end, no ICE and no disk. What changes here is the packet path alone.
// thru_bench cpace [runs]: CPU microseconds of one side of a key agreement.
// thru_bench paths [name] [seconds]: bulk data over simulated paths in virtual time.
// thru_bench hash <MiB>: CPU seconds that the hashes of so much take at one end.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "file_pages.h"
#include "hashing.h"
#include "key_agreement.h"
#include "many_receivers.h"
#include "path/udp_batch.h"
#include "quic/connection.h"
#include "sim/bulk_receiver.h"
#include "simulated_paths.h"
#include "simulated_sharing.h"

namespace {

using namespace thru;

constexpr std::uint64_t kSegment = 8ULL << 20;
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
    Sent send(ByteView bytes, std::size_t segment) override {
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

double thread_cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Reads what came, then timers, then sends, then waits: one turn of an end's loop.
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

struct Figures {
    double seconds = 0;
    double sender_cpu = 0;
    double receiver_cpu = 0;
};

Figures run(std::uint64_t total, CongestionControl congestion_control) {
    const auto sender_identity = Identity::create();
    const auto receiver_identity = Identity::create();
    const ConnectionSettings settings{.congestion_control = congestion_control};
    LoopbackPath sender_path;
    LoopbackPath receiver_path;
    sender_path.send_to(receiver_path);
    receiver_path.send_to(sender_path);
    std::atomic<bool> done{false};
    Figures figures;
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
                const bool last = queued % kSegment == 0;
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

} // namespace

int main(int count, char **arguments) {
    const auto number = [&](int index, std::uint64_t otherwise) {
        return count > index ? std::strtoull(arguments[index], nullptr, 10) : otherwise;
    };
    if (count > 1 && std::string_view(arguments[1]) == "cpace") {
        const auto runs = std::max<std::uint64_t>(1, number(2, 10'000));
        std::printf("cpace  %.0f us\n", cpace_seconds(runs) * 1e6 / static_cast<double>(runs));
        return 0;
    }
    if (count > 1 && std::string_view(arguments[1]) == "files") {
        const auto times = file_page_times(number(2, 1'000'000));
        std::printf("copy %.2f ms  filtered %.1f ms  searched %.1f ms\n", times.copy,
                    times.filtered, times.searched);
        return 0;
    }
    if (count > 1 && std::string_view(arguments[1]) == "paths") {
        print_simulated_paths(count > 2 ? arguments[2] : "", static_cast<double>(number(3, 20)));
        return 0;
    }
    if (count > 1 && std::string_view(arguments[1]) == "sharing") {
        print_simulated_sharing(count > 2 ? arguments[2] : "", static_cast<double>(number(3, 60)));
        return 0;
    }
    if (count > 1 && std::string_view(arguments[1]) == "many-receivers") {
        return print_many_receivers(number(2, 100), number(3, 16) << 20, number(4, 60)) ? 0 : 1;
    }
    if (count > 2 && std::string_view(arguments[1]) == "hash") {
        std::printf("%.3f\n", hashing_seconds(number(2, 0) << 20));
        return 0;
    }
    const auto total = std::max<std::uint64_t>(1, number(1, 1024) / 8) * kSegment;
    const auto runs = number(2, 3);
    const auto gigabytes = static_cast<double>(total) * 1e-9;
    for (const auto &[name, control] :
         {std::pair{"cubic", CongestionControl::Cubic}, std::pair{"bbr", CongestionControl::Bbr}}) {
        std::vector<double> rates;
        for (std::uint64_t index = 0; index < runs; ++index) {
            const auto figures = run(total, control);
            rates.push_back(gigabytes * 1000 / figures.seconds);
            std::printf("%-6s %6.0f MB/s  sender %.2f s/GB  receiver %.2f s/GB\n", name,
                        rates.back(), figures.sender_cpu / gigabytes,
                        figures.receiver_cpu / gigabytes);
        }
        std::ranges::sort(rates);
        std::printf("%-6s median %.0f MB/s of %zu runs\n", name, rates[rates.size() / 2],
                    rates.size());
    }
}

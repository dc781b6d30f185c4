#include "many_receivers.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cpu_time.h"
#include "crypto/signature.h"
#include "engine/engine.h"
#include "running_engine.h"

namespace {

using namespace thru;
namespace files = std::filesystem;

constexpr SessionNumber kShare = 1;
constexpr const char *kNameplate = "4821";
/// Receivers per engine, below its limit of sessions.
constexpr std::size_t kReceiversPerEngine = 200;
/// One contact may prove itself three times simultaneously.
constexpr std::size_t kAtOnce = 3;

/// Kinds of messages between the two processes about a receiver.
enum class About : std::uint32_t { Open, Signal, Accept, Offered, Finished, Failed };

/// Messages between the two processes, in order. Any thread sends, one receives.
class Channel {
public:
    explicit Channel(int socket) : socket_(socket) {}
    ~Channel() { ::close(socket_); }
    Channel(const Channel &) = delete;
    Channel &operator=(const Channel &) = delete;

    void send(About what, std::size_t number, const std::string &text = {}) {
        const std::array<std::uint32_t, 3> head{static_cast<std::uint32_t>(what),
                                                static_cast<std::uint32_t>(number),
                                                static_cast<std::uint32_t>(text.size())};
        std::string bytes(sizeof head, '\0');
        std::memcpy(bytes.data(), head.data(), sizeof head);
        bytes += text;
        const std::lock_guard lock(mutex_);
        for (std::size_t sent = 0; sent < bytes.size();) {
            const auto took =
                ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
            if (took <= 0) {
                return;
            }
            sent += static_cast<std::size_t>(took);
        }
    }
    bool receive(About &what, std::size_t &number, std::string &text) const {
        std::array<std::uint32_t, 3> head{};
        if (!read(head.data(), sizeof head)) {
            return false;
        }
        what = static_cast<About>(head[0]);
        number = head[1];
        text.resize(head[2]);
        return read(text.data(), text.size());
    }

private:
    bool read(void *to, std::size_t bytes) const {
        return bytes == 0 || ::recv(socket_, to, bytes, MSG_WAITALL) == static_cast<ssize_t>(bytes);
    }

    int socket_;
    std::mutex mutex_;
};

/// Runs the receivers' process until the other one ends.
void receive_all(Channel &channel, const SigningKey &own, const Contact &sender,
                 const files::path &target) {
    std::map<std::size_t, std::unique_ptr<RunningEngine>> engines;
    const auto engine_of = [&](std::size_t number) -> RunningEngine & {
        auto &engine = engines[number / kReceiversPerEngine];
        if (!engine) {
            engine = std::make_unique<RunningEngine>([&channel](const Event &event) {
                if (const auto *signal = std::get_if<SignalEvent>(&event)) {
                    channel.send(About::Signal, signal->session, signal->payload);
                } else if (const auto *offer = std::get_if<OfferEvent>(&event)) {
                    channel.send(About::Offered, offer->session);
                } else if (const auto *finished = std::get_if<FinishedEvent>(&event)) {
                    channel.send(About::Finished, finished->session);
                } else if (const auto *failed = std::get_if<FailedEvent>(&event)) {
                    channel.send(About::Failed, failed->session,
                                 std::string(error_name(failed->error.code)) + " " +
                                     failed->error.detail);
                }
            });
            engine->post(SetContacts{.own = own.seed(), .contacts = {sender}});
        }
        return *engine;
    };
    About what{};
    std::size_t number = 0;
    std::string text;
    while (channel.receive(what, number, text)) {
        const auto session = static_cast<SessionNumber>(number);
        auto &engine = engine_of(number);
        if (what == About::Open) {
            WireId id{};
            std::memcpy(id.data(), &number, sizeof number);
            engine.post(OpenReceive{.session = session,
                                    .receive = id,
                                    .nameplate = kNameplate,
                                    .secret = ByContact{"sender"},
                                    .peer = "s",
                                    .name = "receiver"});
        } else if (what == About::Signal) {
            engine.post(Signal{session, "s", text});
        } else if (what == About::Accept) {
            engine.post(Accept{session, (target / std::to_string(number)).string(), {}, {}, {}});
        }
    }
}

double resident_mib() {
    std::ifstream file("/proc/self/statm");
    double size = 0;
    double resident = 0;
    file >> size >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

std::size_t descriptors() {
    return static_cast<std::size_t>(
        std::distance(files::directory_iterator("/proc/self/fd"), files::directory_iterator()));
}

/// Runs the sender's process.
class Sending {
public:
    Sending(Channel &channel, const SigningKey &own, const Contact &receiver,
            const files::path &source, std::size_t count)
        : channel_(channel), engine_([this](const Event &event) { on_event(event); }) {
        engine_.post(SetContacts{.own = own.seed(), .contacts = {receiver}});
        engine_.post(OpenShare{.session = kShare,
                               .items = {{.path = source.string()}},
                               .max_receivers = count,
                               .name = "sender"});
        engine_.post(SetCode{kShare, std::string(kNameplate) + "-apple-banana-cactus"});
        thread_ = std::thread([this] { listen(); });
    }
    ~Sending() { thread_.join(); }

    void connect(std::size_t count) {
        for (std::size_t number = 0; number < count; ++number) {
            wait([&] { return failed_ || proven_ + kAtOnce > number; });
            engine_.post(AddPeer{kShare, std::to_string(number)});
            channel_.send(About::Open, number);
        }
        wait([&] { return failed_ || offered_ == count; });
    }
    void accept(std::size_t begin, std::size_t end) {
        for (auto number = begin; number < end; ++number) {
            channel_.send(About::Accept, number);
        }
        wait([&] { return failed_ || finished_ == end; });
    }
    bool failed() const { return failed_; }

private:
    void on_event(const Event &event) {
        if (const auto *signal = std::get_if<SignalEvent>(&event)) {
            channel_.send(About::Signal, std::stoul(signal->peer), signal->payload);
        } else if (std::holds_alternative<PairingDoneEvent>(event)) {
            change([this] { ++proven_; });
        } else if (const auto *failure = std::get_if<FailedEvent>(&event)) {
            std::printf("sender: %s %s\n", std::string(error_name(failure->error.code)).c_str(),
                        failure->error.detail.c_str());
            change([this] { failed_ = true; });
        }
    }
    void listen() {
        About what{};
        std::size_t number = 0;
        std::string text;
        while (channel_.receive(what, number, text)) {
            if (what == About::Signal) {
                engine_.post(Signal{kShare, std::to_string(number), text});
            } else if (what == About::Offered) {
                change([this] { ++offered_; });
            } else if (what == About::Finished) {
                change([this] { ++finished_; });
            } else if (what == About::Failed) {
                std::printf("receiver %zu: %s\n", number, text.c_str());
                change([this] { failed_ = true; });
            }
        }
    }
    template <class Change> void change(Change change) {
        const std::lock_guard lock(mutex_);
        change();
        changed_.notify_all();
    }
    template <class Until> void wait(Until until) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, until);
    }

    Channel &channel_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t proven_ = 0;
    std::size_t offered_ = 0;
    std::size_t finished_ = 0;
    std::atomic<bool> failed_ = false;
    RunningEngine engine_;
    std::thread thread_;
};

bool send_all(pid_t receivers, Sending &sending, std::size_t count, std::uint64_t bytes,
              std::uint64_t idle_seconds) {
    const auto now = [] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
            .count();
    };
    const auto before_mib = resident_mib();
    auto begun = now();
    auto cpu = process_cpu_seconds();
    sending.connect(count);
    if (!sending.failed()) {
        const auto each = 1.0 / static_cast<double>(count);
        std::printf("connect  %6zu in %.1f s  CPU %.1f ms each  %.0f KiB each  %zu descriptors\n",
                    count, now() - begun, (process_cpu_seconds() - cpu) * 1000 * each,
                    (resident_mib() - before_mib) * 1024 * each, descriptors());
        std::fflush(stdout);
        begun = now();
        cpu = process_cpu_seconds();
        std::this_thread::sleep_for(std::chrono::seconds(idle_seconds));
        std::printf("idle     %6zu: %.2f%% of a core\n", count,
                    (process_cpu_seconds() - cpu) * 100 / (now() - begun));
        std::fflush(stdout);
    }
    const auto measured = [&](const char *what, std::size_t begin, std::size_t end) {
        if (sending.failed() || begin == end) {
            return;
        }
        const auto gigabytes = static_cast<double>(bytes * (end - begin)) * 1e-9;
        begun = now();
        cpu = process_cpu_seconds();
        sending.accept(begin, end);
        const auto seconds = now() - begun;
        std::printf("%-8s %6zu: %.2f s  %.0f MB/s  CPU %.2f s/GB  %.0f MiB\n", what, end - begin,
                    seconds, gigabytes * 1000 / seconds, (process_cpu_seconds() - cpu) / gigabytes,
                    resident_mib());
        std::fflush(stdout);
    };
    measured("send", 0, 1);
    measured("send", 1, count);
    kill(receivers, SIGTERM);
    return !sending.failed();
}

} // namespace

bool print_many_receivers(std::size_t count, std::uint64_t bytes, std::uint64_t idle_seconds) {
    const auto sender = SigningKey::create();
    const auto receiver = SigningKey::create();
    const auto contact = [](const char *id, const SigningKey &key) {
        return Contact{.id = id, .public_key = key.public_key(), .shared = {}};
    };
    std::string folder = "/dev/shm/thru-receivers-XXXXXX";
    if (mkdtemp(folder.data()) == nullptr) {
        return false;
    }
    const files::path source = files::path(folder) / "source.bin";
    {
        std::ofstream file(source, std::ios::binary);
        std::string block(1 << 20, '\0');
        for (std::uint64_t written = 0; written < bytes; written += block.size()) {
            std::ranges::fill(block, static_cast<char>(written >> 20));
            file.write(block.data(), static_cast<std::streamsize>(
                                         std::min<std::uint64_t>(block.size(), bytes - written)));
        }
    }
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) {
        files::remove_all(folder);
        return false;
    }
    const auto child = fork();
    if (child < 0) {
        ::close(ends[0]);
        ::close(ends[1]);
        files::remove_all(folder);
        return false;
    }
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        ::close(ends[0]);
        Channel channel(ends[1]);
        receive_all(channel, receiver, contact("sender", sender), files::path(folder) / "target");
        std::_Exit(0);
    }
    ::close(ends[1]);
    bool done = false;
    {
        Channel channel(ends[0]);
        Sending sending(channel, sender, contact("receiver", receiver), source, count);
        done = send_all(child, sending, count, bytes, idle_seconds);
        waitpid(child, nullptr, 0);
    }
    files::remove_all(folder);
    return done;
}

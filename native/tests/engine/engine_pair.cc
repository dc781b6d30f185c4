#include "engine/engine_pair.h"

#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "fs/disk.h"

namespace thru {

WatchedEngine::WatchedEngine(OnEvent on_event) : on_event_(std::move(on_event)) {
    engine_ = std::make_unique<Engine>(
        [this] {
            const std::lock_guard lock(mutex_);
            pending_ = true;
            waiting_.notify_one();
        },
        [this] { return clock_.now(); });
    delivery_ = std::thread([this] { deliver(); });
}

WatchedEngine::~WatchedEngine() {
    close();
    {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
        waiting_.notify_one();
    }
    delivery_.join();
}

void WatchedEngine::close() { engine_->close(); }

void WatchedEngine::deliver() {
    std::unique_lock lock(mutex_);
    for (;;) {
        waiting_.wait(lock, [this] { return pending_ || stopped_; });
        if (stopped_) {
            return;
        }
        pending_ = false;
        lock.unlock();
        auto events = engine_->take_events();
        for (const auto &event : events) {
            on_event_(event);
        }
        lock.lock();
        events_.insert(events_.end(), std::make_move_iterator(events.begin()),
                       std::make_move_iterator(events.end()));
        arrived_.notify_all();
    }
}

void WatchedEngine::post(Command command) { EXPECT_TRUE(engine_->post(std::move(command))); }

void WatchedEngine::report_missing(bool found) {
    if (found) {
        return;
    }
    ADD_FAILURE() << "an expected event did not come";
    for (const auto &event : events_) {
        if (const auto *failed = std::get_if<FailedEvent>(&event)) {
            ADD_FAILURE() << error_name(failed->error.code) << " " << failed->error.detail;
        }
    }
}

EnginePair::EnginePair()
    : sender([this](const Event &event) {
          if (const auto *signal = std::get_if<SignalEvent>(&event)) {
              const std::lock_guard lock(routes_mutex_);
              if (const auto found = routes_.find(signal->peer); found != routes_.end()) {
                  found->second(signal->payload);
              }
          }
      }),
      receiver([this](const Event &event) {
          if (const auto *signal = std::get_if<SignalEvent>(&event)) {
              const std::lock_guard lock(routes_mutex_);
              const auto known = peers_.find(signal->session);
              static_cast<void>(sender.engine().post(
                  Signal{kShare, known == peers_.end() ? "r" : known->second, signal->payload}));
          }
      }) {
    folder_ = test::make_temporary_folder();
    std::filesystem::create_directories(source());
    route("r", receiver, kReceive);
}

EnginePair::~EnginePair() {
    {
        // Drops the sender's further messages: the receiver is destroyed first.
        const std::lock_guard lock(routes_mutex_);
        routes_.clear();
    }
    sender.close();
    receiver.close();
    std::filesystem::remove_all(folder_);
}

void EnginePair::write_source(const std::string &name, std::size_t bytes,
                              std::uint32_t seed) const {
    const auto path = source() / test::path_of(name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary);
    constexpr std::size_t kBlock = 1 << 20;
    for (std::uint64_t block = 0; bytes > 0; ++block) {
        const auto size = std::min(bytes, kBlock);
        file << test::noise(size, block << 32 | seed);
        bytes -= size;
    }
}

void EnginePair::share(const std::vector<std::string> &paths,
                       const std::vector<std::string> &texts) {
    std::vector<ScanItem> items;
    for (const auto &path : paths) {
        items.push_back({.path = path});
    }
    for (const auto &text : texts) {
        items.push_back({.text = text});
    }
    sender.post(OpenShare{.session = kShare,
                          .items = std::move(items),
                          .name = "Mina",
                          .ice = {.relay_use = share_relays},
                          .stores_admission = stores_admission});
    sender.post(SetCode{kShare, std::string(kNameplate) + "-" + kWords});
}

void EnginePair::start(const std::vector<std::string> &paths, const std::string &words,
                       const std::vector<std::string> &texts) {
    share(paths, texts);
    sender.post(AddPeer{kShare, "r"});
    receiver.post(OpenReceive{.session = kReceive,
                              .receive = {1, 2, 3},
                              .nameplate = kNameplate,
                              .secret = ByWords{words},
                              .peer = "s",
                              .name = "Jonas",
                              .ice = {.turn = receive_turn, .relay_use = receive_relays},
                              .prefetch = prefetches});
}

void EnginePair::join(SessionNumber session, const std::string &peer, ReceiveSecret secret,
                      const WireId &receive) {
    {
        const std::lock_guard lock(routes_mutex_);
        peers_[session] = peer;
    }
    route(peer, receiver, session);
    sender.post(AddPeer{kShare, peer});
    receiver.post(OpenReceive{.session = session,
                              .receive = receive,
                              .nameplate = kNameplate,
                              .secret = std::move(secret),
                              .peer = "s",
                              .name = "Jonas",
                              .prefetch = prefetches});
}

void EnginePair::route(const std::string &peer, WatchedEngine &engine, SessionNumber session) {
    route(peer, [&engine, session](const std::string &payload) {
        // Refused once that engine is closed, just as a server refuses an unknown peer.
        static_cast<void>(engine.engine().post(Signal{session, "s", payload}));
    });
}

void EnginePair::route(const std::string &peer,
                       std::function<void(const std::string &payload)> deliver) {
    const std::lock_guard lock(routes_mutex_);
    routes_.insert_or_assign(peer, std::move(deliver));
}

void EnginePair::unroute(const std::string &peer) {
    const std::lock_guard lock(routes_mutex_);
    routes_.erase(peer);
}

bool EnginePair::same_trees(const std::filesystem::path &shared,
                            const std::filesystem::path &into) const {
    namespace fs = std::filesystem;
    const auto received = into / shared.filename();
    std::size_t expected = 0;
    for (const auto &entry : fs::recursive_directory_iterator(shared)) {
        ++expected;
        const auto copy = received / fs::relative(entry.path(), shared);
        if (entry.is_directory() ? !fs::is_directory(copy)
                                 : test::read_file(entry.path()) != test::read_file(copy)) {
            ADD_FAILURE() << entry.path();
            return false;
        }
    }
    const auto arrived = static_cast<std::size_t>(std::distance(
        fs::recursive_directory_iterator(received), fs::recursive_directory_iterator()));
    EXPECT_EQ(arrived, expected);
    return arrived == expected;
}

} // namespace thru

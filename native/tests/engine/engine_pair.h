// Two engines in one process that signal each other directly: real ICE, QUIC and files.
#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "engine/engine.h"
#include "support/patience.h"
#include "support/shifted_clock.h"

namespace thru {

/// Matches the events of a session.
template <class E> auto of_session(SessionNumber session) {
    return [session](const E &event) { return event.session == session; };
}

/// An engine whose events are kept and can be waited for.
class WatchedEngine {
public:
    /// Called for each event on a thread of this object, in order.
    using OnEvent = std::function<void(const Event &)>;

    explicit WatchedEngine(OnEvent on_event = [](const Event &) {});
    ~WatchedEngine();

    Engine &engine() { return *engine_; }
    /// Advances the engine's clock, as if nothing had happened meanwhile.
    void advance(Timestamp by) {
        clock_.advance(by);
        engine_->wake();
    }
    /// Fails the test if the command is refused.
    void post(Command command);
    /// The first event of this type that `matches`; fails the test after half a minute.
    template <class E>
    E wait_for(const std::function<bool(const E &)> &matches = [](const E &) { return true; }) {
        std::unique_lock lock(mutex_);
        const E *found = nullptr;
        arrived_.wait_for(lock, test::patience(std::chrono::seconds(30)), [&] {
            for (const auto &event : events_) {
                const auto *candidate = std::get_if<E>(&event);
                if (candidate != nullptr && matches(*candidate)) {
                    found = candidate;
                    return true;
                }
            }
            return false;
        });
        report_missing(found != nullptr);
        return found != nullptr ? *found : E{};
    }
    /// Number of events of this type so far.
    template <class E>
    std::size_t count(const std::function<bool(const E &)> &matches = [](const E &) {
        return true;
    }) {
        const std::lock_guard lock(mutex_);
        std::size_t number = 0;
        for (const auto &event : events_) {
            const auto *candidate = std::get_if<E>(&event);
            number += candidate != nullptr && matches(*candidate) ? 1U : 0U;
        }
        return number;
    }
    void close();

private:
    void deliver();
    void report_missing(bool found);

    OnEvent on_event_;
    ShiftedClock clock_;
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::condition_variable waiting_;
    bool pending_ = false;
    bool stopped_ = false;
    std::vector<Event> events_;
    std::unique_ptr<Engine> engine_;
    std::thread delivery_;
};

/// A share and a receive of it, each in its own engine, and a folder for the test's files.
class EnginePair {
public:
    EnginePair();
    ~EnginePair();

    std::filesystem::path source() const { return folder_ / "source"; }
    std::filesystem::path target() const { return folder_ / "target"; }

    void write_source(const std::string &name, std::size_t bytes, std::uint32_t seed = 1) const;
    /// Shares `paths` and `texts`, and lets the receiver knock with `words` once the code is known.
    void start(const std::vector<std::string> &paths, const std::string &words = kWords,
               const std::vector<std::string> &texts = {});
    void share(const std::vector<std::string> &paths, const std::vector<std::string> &texts = {});
    /// Lets the receiver return under another number, as after a lost connection.
    void join(SessionNumber session, const std::string &peer,
              ReceiveSecret secret = ByWords{kWords}, const WireId &receive = {1, 2, 3});
    void accept(const ReceiveOptions &options = {}, const SelectionText &selection = {},
                SessionNumber session = kReceive) {
        receiver.post(Accept{session, target().string(), options, selection});
    }
    /// Sends the share's messages for `peer` to this engine and session, or to `deliver`.
    void route(const std::string &peer, WatchedEngine &engine, SessionNumber session);
    void route(const std::string &peer, std::function<void(const std::string &payload)> deliver);
    void unroute(const std::string &peer);
    /// True if the target has exactly the files of `shared`, with the same bytes.
    bool same_trees(const std::filesystem::path &shared) const {
        return same_trees(shared, target());
    }
    /// Like the above, for files received into `into`.
    bool same_trees(const std::filesystem::path &shared, const std::filesystem::path &into) const;

    /// Relay settings for `start` and `share`.
    RelayUse share_relays = RelayUse::Automatic;
    RelayUse receive_relays = RelayUse::Automatic;
    std::vector<TurnServer> receive_turn{};
    /// See OpenShare; for `start` and `share`.
    bool stores_admission = false;
    /// `start` and `join` prefetch.
    bool prefetches = false;

    static constexpr SessionNumber kShare = 1;
    static constexpr SessionNumber kReceive = 2;
    static constexpr const char *kNameplate = "4821";
    static constexpr const char *kWords = "apple-banana-cactus";

private:
    std::mutex routes_mutex_;
    std::map<std::string, std::function<void(const std::string &payload)>> routes_;
    /// The share's name for each session of the receiver; "r" for a session not listed.
    std::map<SessionNumber, std::string> peers_;
    std::filesystem::path folder_;

public:
    // Last, because their threads use the members above.
    WatchedEngine sender;
    WatchedEngine receiver;
};

} // namespace thru

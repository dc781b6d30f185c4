#include "engine/engine.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>

#include "engine/context.h"
#include "engine/receive_session.h"
#include "engine/share_session.h"

namespace thru {

namespace {

/// Two wait for the disk while the network thread works; more only contend on small machines.
constexpr std::size_t kDiskThreads = 3;
constexpr std::size_t kCompletionsPerTurn = 256;
constexpr std::size_t kMaxSessions = 256;

} // namespace

struct Engine::State {
    explicit State(std::function<void()> on_events_waiting)
        : events(std::move(on_events_waiting)),
          disk(std::make_unique<DiskPool>(kDiskThreads, [this] { loop.wake(); })),
          context{loop, *disk, events, BufferPool::create()} {}

    void run();
    void handle(Command command, Timestamp now);
    void open(OpenShare command);
    void open(OpenReceive command, Timestamp now);
    void refuse(SessionNumber session, const std::string &peer, const Error &error) {
        events.push(FailedEvent{session, peer, error});
    }
    bool session_allowed(SessionNumber session, const std::string &peer);
    Timestamp service(Timestamp now);
    void end_all(Timestamp now);
    ShareSession *share(SessionNumber session) {
        const auto found = shares.find(session);
        return found == shares.end() ? nullptr : found->second.get();
    }

    EventBuffer events;
    EventLoop loop;
    // After the loop that its completions wake.
    std::unique_ptr<DiskPool> disk;
    EngineContext context;
    std::unordered_map<SessionNumber, std::unique_ptr<ShareSession>> shares;
    std::unordered_map<SessionNumber, std::unique_ptr<ReceiveSession>> receives;

    std::mutex mutex;
    std::deque<Command> commands;
    bool closing = false;
    std::once_flag joined;
    std::thread network;
};

void Engine::State::run() {
    loop.prepare_thread();
    for (bool stop = false; !stop;) {
        std::deque<Command> batch;
        {
            const std::lock_guard lock(mutex);
            batch = std::exchange(commands, {});
            stop = closing;
        }
        const auto now = monotonic_now();
        for (auto &command : batch) {
            handle(std::move(command), now);
        }
        const bool more = disk->run_completions(kCompletionsPerTurn);
        const auto deadline = service(now);
        if (stop) {
            end_all(now);
        } else {
            loop.run_once(more ? 0 : deadline);
        }
    }
    // On the thread that owns them. The sessions' last jobs tidy up: close waits for them.
    shares.clear();
    receives.clear();
    disk.reset();
}

void Engine::State::handle(Command command, Timestamp now) {
    if (auto *opening = std::get_if<OpenShare>(&command)) {
        open(std::move(*opening));
    } else if (auto *receiving = std::get_if<OpenReceive>(&command)) {
        open(std::move(*receiving), now);
    } else if (const auto *coded = std::get_if<SetCode>(&command)) {
        auto code = parse_join_code(coded->code);
        if (auto *target = share(coded->session); target != nullptr && code) {
            target->set_code(std::move(*code));
        } else if (target != nullptr) {
            refuse(coded->session, {}, code.error());
        }
    } else if (const auto *added = std::get_if<AddPeer>(&command)) {
        if (auto *target = share(added->session)) {
            target->add_peer(added->peer, now);
        }
    } else if (const auto *dropped = std::get_if<DropPeer>(&command)) {
        if (auto *target = share(dropped->session)) {
            target->drop_peer(dropped->peer, now);
        }
    } else if (const auto *signal = std::get_if<Signal>(&command)) {
        if (auto *target = share(signal->session)) {
            target->on_signal(signal->peer, signal->payload);
        } else if (const auto found = receives.find(signal->session); found != receives.end()) {
            found->second->on_signal(signal->peer, signal->payload);
        }
    } else if (const auto *accepted = std::get_if<Accept>(&command)) {
        if (const auto found = receives.find(accepted->session); found != receives.end()) {
            found->second->accept(accepted->directory);
        }
    } else if (const auto *ended = std::get_if<EndSession>(&command)) {
        if (auto *target = share(ended->session)) {
            target->end(Error{ErrorCode::Stopped, 0, "the share was stopped"}, now);
            shares.erase(ended->session);
        } else if (const auto found = receives.find(ended->session); found != receives.end()) {
            found->second->end(now);
            receives.erase(found);
        }
    }
}

bool Engine::State::session_allowed(SessionNumber session, const std::string &peer) {
    if (shares.contains(session) || receives.contains(session)) {
        refuse(session, peer, Error{ErrorCode::BadArgument, session, "session number in use"});
        return false;
    }
    if (shares.size() + receives.size() >= kMaxSessions) {
        refuse(session, peer, Error{ErrorCode::LimitExceeded, 0, "too many sessions"});
        return false;
    }
    return true;
}

void Engine::State::open(OpenShare command) {
    const auto session = command.session;
    if (!session_allowed(session, {})) {
        return;
    }
    auto opened = ShareSession::open(context, std::move(command));
    if (!opened) {
        refuse(session, {}, opened.error());
        return;
    }
    shares.emplace(session, std::move(*opened));
}

void Engine::State::open(OpenReceive command, Timestamp now) {
    const auto session = command.session;
    const auto peer = command.peer;
    if (!session_allowed(session, peer)) {
        return;
    }
    auto opened = ReceiveSession::open(context, std::move(command), now);
    if (!opened) {
        refuse(session, peer, opened.error());
        return;
    }
    receives.emplace(session, std::move(*opened));
}

Timestamp Engine::State::service(Timestamp now) {
    auto deadline = kNever;
    for (const auto &[session, target] : shares) {
        target->service(now);
        deadline = std::min(deadline, target->deadline());
    }
    std::erase_if(receives, [&](const auto &each) { return !each.second->service(now); });
    for (const auto &[session, target] : receives) {
        deadline = std::min(deadline, target->deadline());
    }
    return deadline;
}

void Engine::State::end_all(Timestamp now) {
    for (const auto &[session, target] : shares) {
        target->end(Error{ErrorCode::Stopped, 0, "the sender's program was closed"}, now);
    }
    for (const auto &[session, target] : receives) {
        target->end(now);
    }
}

Engine::Engine(std::function<void()> on_events_waiting)
    : state_(std::make_unique<State>(std::move(on_events_waiting))) {
    state_->network = std::thread([state = state_.get()] { state->run(); });
}

Engine::~Engine() { close(); }

Result<> Engine::post(Command command) {
    {
        const std::lock_guard lock(state_->mutex);
        if (state_->closing) {
            return fail(ErrorCode::EngineClosed);
        }
        if (state_->commands.size() >= kMaxQueuedCommands) {
            return fail(ErrorCode::EngineBusy);
        }
        state_->commands.push_back(std::move(command));
    }
    state_->loop.wake();
    return {};
}

std::vector<Event> Engine::take_events() { return state_->events.take(); }

void Engine::close() {
    {
        const std::lock_guard lock(state_->mutex);
        state_->closing = true;
    }
    state_->loop.wake();
    std::call_once(state_->joined, [this] { state_->network.join(); });
}

} // namespace thru

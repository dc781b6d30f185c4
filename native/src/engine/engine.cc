#include "engine/engine.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>

#include "engine/context.h"
#include "engine/delete_queue.h"
#include "engine/receive/receive_session.h"
#include "engine/share/share_session.h"
#include "link/peer_link.h"
#include "loop/descriptor_limit.h"
#include "net/watch/network_watch.h"

namespace thru {

namespace {

/// All sessions get a turn at least this often: a missing wake-up costs a second, not the transfer.
constexpr Timestamp kRoundInterval = kSecond;
/// Threads per lane of a disk; more only contend on small machines.
constexpr std::size_t kDiskThreads = 3;
constexpr std::size_t kCompletionsPerTurn = 256;
constexpr std::size_t kMaxSessions = 256;
/// Maximum time to close lingering links: three probe timeouts of a path around the world.
constexpr Timestamp kMaxLinger = kSecond;

} // namespace

struct Engine::State {
    State(std::function<void()> on_events_waiting, Clock clock)
        : events(std::move(on_events_waiting),
                 [this] {
                     has_room_again = true;
                     loop.wake();
                 }),
          loop(std::move(clock)),
          disk(std::make_unique<DiskPool>(kDiskThreads, [this] { loop.wake(); })),
          context{.loop = loop,
                  .disk = *disk,
                  .events = events,
                  .buffers = BufferPool::create(),
                  .upload = {},
                  .suspending = {},
                  .contacts = {}} {}

    void run();
    void handle(Command command, Timestamp now);
    void on(OpenShare command, Timestamp now);
    void on(AddItems command, Timestamp) {
        with_share(command, [&](auto &target) { target.add_items(std::move(command.items)); });
    }
    void on(RemoveItem command, Timestamp) {
        with_share(command, [&](auto &target) { target.remove_item(command.item); });
    }
    void on(SetFollowable command, Timestamp) {
        with_share(command, [&](auto &target) { target.set_followable(command.followable); });
    }
    void on(ConfirmAdmission command, Timestamp) {
        with_share(command, [&](auto &target) { target.confirm_admission(command.revision); });
    }
    void on(Rescan command, Timestamp) {
        with_share(command, [&](auto &target) { target.rescan(); });
    }
    void on(EndStream command, Timestamp) {
        with_share(command, [&](auto &target) { target.end_stream(command.complete); });
    }
    void on(SetMaxReceivers command, Timestamp) {
        with_share(command, [&](auto &target) { target.set_max_receivers(command.count); });
    }
    void on(SetCode command, Timestamp now);
    void on(RevokeCode command, Timestamp now) {
        with_share(command, [&](auto &target) { target.revoke_code(now); });
    }
    void on(AddPeer command, Timestamp now) {
        with_share(command, [&](auto &target) { target.add_peer(command.peer, now); });
    }
    void on(DisconnectPeer command, Timestamp now) {
        with_share(command, [&](auto &target) {
            target.disconnect_peer(command.peer, command.may_resume, now);
        });
    }
    void on(ApprovePeer command, Timestamp now) {
        with_share(command,
                   [&](auto &target) { target.approve_peer(command.peer, command.approved, now); });
    }
    void on(SetApproval command, Timestamp) {
        with_share(command, [&](auto &target) { target.set_approval(command.wanted); });
    }
    void on(AddRelays command, Timestamp now);
    void on(SetStun command, Timestamp) {
        with_share(command, [&](auto &target) { target.set_stun(std::move(command.stun)); });
    }
    void on(AddMapping command, Timestamp) {
        if (auto *owner = context.links.ports.owner_of(command.port)) {
            owner->add_mapping(command.port, command.mapped);
        }
    }
    void on(AnswerName command, Timestamp) {
        if (const auto asked = context.links.names.take(command.question)) {
            asked->owner->add_named(asked->line, command.address);
        }
    }
    void on(SetContacts command, Timestamp) {
        context.contacts.own = command.own ? std::optional(SigningKey(*command.own)) : std::nullopt;
        context.contacts.contacts = std::move(command.contacts);
    }
    void on(RequestContact command, Timestamp now);
    void on(OpenReceive command, Timestamp now);
    void on(Signal command, Timestamp now);
    void on(ListOffer command, Timestamp) {
        with_receive(command, [&](auto &target) { target.list(command); });
    }
    void on(Preflight command, Timestamp) {
        with_receive(command, [&](auto &target) { target.preflight(std::move(command)); });
    }
    void on(Accept command, Timestamp) {
        with_receive(command, [&](auto &target) { target.accept(command); });
        share_download_limit();
    }
    void on(Refuse command, Timestamp) {
        with_receive(command, [&](auto &target) { target.refuse(command.why); });
    }
    void on(ChangeSelection command, Timestamp) {
        with_receive(command, [&](auto &target) { target.select(command); });
    }
    void on(ListFiles command, Timestamp) {
        if (auto *sending = share(command.session)) {
            sending->list_files(command);
        } else if (auto *receiving = receive(command.session)) {
            receiving->list_files(command);
        } else {
            events.push(FilesEvent{.session = command.session,
                                   .peer = command.peer,
                                   .request = command.request,
                                   .error = Error{ErrorCode::BadArgument, 0, "it has ended"}});
        }
    }
    void on(PrioritizeFiles command, Timestamp) {
        with_receive(command, [&](auto &target) { target.prioritize(command); });
    }
    void on(SetPaused command, Timestamp now);
    void on(SetLimits command, Timestamp now);
    void on(SetBackground command, Timestamp) {
        context.background = command.enabled;
        context.scheduler.wake_all();
    }
    void on(SetTransport command, Timestamp) { context.links.transport = command.transport; }
    void on(SetQlog command, Timestamp) {
        context.links.qlogs.set_directory(std::move(command.directory));
    }
    void on(SetSavedPaths command, Timestamp now) {
        context.links.paths.set(std::move(command.paths), now);
    }
    void on(const SetInstallation &command, Timestamp) { context.installation = command.secret; }
    void on(DeletePartial command, Timestamp) { deletions.add(std::move(command)); }
    void on(EndSession command, Timestamp now);
    void on(DetachSession command, Timestamp now);
    void on(ProbePeer command, Timestamp now) {
        with_receive(command, [&](auto &target) { target.probe_peer(now); });
    }
    void on(SuspendShare command, Timestamp now);
    void share_download_limit();
    void refuse(SessionNumber session, const std::string &peer, const Error &error) {
        events.push(FailedEvent{session, peer, error});
    }
    bool session_allowed(SessionNumber session, const std::string &peer);
    Timestamp serve(SessionNumber session, Timestamp now);
    void end_all(Timestamp now);
    void linger();
    void on_wake(Timestamp slept, Timestamp now);
    void on_network_change(Timestamp now);
    ShareSession *share(SessionNumber session) {
        const auto found = shares.find(session);
        return found == shares.end() ? nullptr : found->second.get();
    }
    ReceiveSession *receive(SessionNumber session) {
        const auto found = receives.find(session);
        return found == receives.end() ? nullptr : found->second.get();
    }
    // Commands to ended sessions are ignored: JavaScript may not know that they ended.
    template <class ForOne, class Do> void with_share(const ForOne &command, Do act) {
        if (auto *target = share(command.session)) {
            act(*target);
            target->wake();
        }
    }
    template <class ForOne, class Do> void with_receive(const ForOne &command, Do act) {
        if (auto *target = receive(command.session)) {
            act(*target);
            target->wake();
        }
    }
    template <class ForOne, class DoShare, class DoReceive>
    void with_either(const ForOne &command, DoShare act_on_share, DoReceive act_on_receive) {
        with_share(command, act_on_share);
        with_receive(command, act_on_receive);
    }

    /// Set by other threads: waiting events were taken.
    std::atomic<bool> has_room_again = false;
    EventBuffer events;
    EventLoop loop;
    // Declared after the loop, which its completions wake.
    std::unique_ptr<DiskPool> disk;
    EngineContext context;
    std::unordered_map<SessionNumber, std::unique_ptr<ShareSession>> shares;
    std::unordered_map<SessionNumber, std::unique_ptr<ReceiveSession>> receives;

    DeleteQueue deletions{context};
    /// Bytes a second of all receives together; 0: no limit.
    std::uint64_t download_limit = 0;
    struct DownloadShare {
        std::uint64_t limit = 0;
        std::ptrdiff_t receives = 0;
        bool operator==(const DownloadShare &) const = default;
    };
    /// The distribution applied last.
    DownloadShare download_shared;

    /// Time of the next turn for all sessions, woken or not.
    Timestamp next_round = 0;

    std::mutex mutex;
    std::deque<Command> commands;
    bool closing = false;
    std::once_flag joined;
    std::thread network;
};

void Engine::State::run() {
    loop.prepare_thread();
    loop.on_wake([this](Timestamp slept) { on_wake(slept, loop.now()); });
    NetworkWatch addresses(loop);
    for (bool stop = false; !stop;) {
        std::deque<Command> batch;
        {
            const std::lock_guard lock(mutex);
            batch = std::exchange(commands, {});
            stop = closing;
        }
        const auto now = loop.now();
        for (auto &command : batch) {
            handle(std::move(command), now);
        }
        const bool more = disk->run_completions(kCompletionsPerTurn);
        if (has_room_again.exchange(false) || now >= next_round) {
            context.scheduler.wake_all();
            next_round = now + kRoundInterval;
        }
        context.scheduler.run(now);
        const bool idle = receives.empty() && std::ranges::all_of(shares, [](const auto &each) {
                              return each.second->idle();
                          });
        const auto next = std::min(context.scheduler.deadline(), idle ? kNever : next_round);
        // DiskPool needs turns to replace hanging threads.
        const auto deadline = disk->waits() ? std::min(next, now + kSecond) : next;
        if (stop) {
            end_all(now);
        } else {
            loop.run_once(more ? 0 : deadline);
            if (addresses.take_change()) {
                on_network_change(loop.now());
            }
        }
    }
    // On the owning thread. The sessions' last jobs clean up: close waits for them.
    shares.clear();
    receives.clear();
    linger();
    disk.reset();
}

void Engine::State::on_wake(Timestamp slept, Timestamp now) {
    context.segments.on_wake();
    for (const auto &[session, target] : shares) {
        target->on_wake(slept, now);
    }
    for (const auto &[session, target] : receives) {
        target->on_wake(slept, now);
    }
    context.scheduler.wake_all();
}

void Engine::State::on_network_change(Timestamp now) {
    for (const auto &[session, target] : shares) {
        target->on_network_change(now);
    }
    for (const auto &[session, target] : receives) {
        target->on_network_change(now);
    }
    context.scheduler.wake_all();
    events.push(NetworkChangedEvent{});
}

/// Waits until reachable peers have the reason and relays have released their addresses.
void Engine::State::linger() {
    const auto end = loop.now() + kMaxLinger;
    for (auto now = loop.now();
         now < end && (loop.has_pending() || context.lingering.owes_reason()); now = loop.now()) {
        loop.run_once(std::min(context.scheduler.deadline(), end));
        context.scheduler.run(loop.now());
    }
    context.lingering.clear();
}

void Engine::State::handle(Command command, Timestamp now) {
    std::visit([this, now](auto &chosen) { on(std::move(chosen), now); }, command);
}

void Engine::State::on(SetCode command, Timestamp now) {
    with_share(command, [&](auto &target) {
        if (auto code = parse_join_code(command.code)) {
            target.set_code(std::move(*code), now);
        } else {
            refuse(command.session, {}, code.error());
        }
    });
}

void Engine::State::on(Signal command, Timestamp now) {
    with_either(
        command, [&](auto &target) { target.on_signal(command.peer, command.payload, now); },
        [&](auto &target) { target.on_signal(command.peer, command.payload); });
}

void Engine::State::on(SetPaused command, Timestamp) {
    with_either(
        command, [&](auto &target) { target.set_paused(command.peer, command.paused); },
        [&](auto &target) { target.set_paused(command.paused); });
}

void Engine::State::on(AddRelays command, Timestamp) {
    with_either(
        command, [&](auto &target) { target.add_relays(command.peer, command.turn); },
        [&](auto &target) { target.add_relays(command.turn); });
}

void Engine::State::on(RequestContact command, Timestamp) {
    with_either(
        command, [&](auto &target) { target.request_contact(command.peer); },
        [&](auto &target) { target.request_contact(); });
}

void Engine::State::on(SetLimits command, Timestamp) {
    context.upload.set_rate(command.upload);
    download_limit = command.download;
    share_download_limit();
    context.scheduler.wake_all();
}

/// Running receives get equal parts of the limit.
void Engine::State::share_download_limit() {
    const auto running =
        std::ranges::count_if(receives, [](const auto &each) { return each.second->accepted(); });
    const auto part = running > 0 ? std::max(download_limit / static_cast<std::uint64_t>(running),
                                             std::uint64_t{1})
                                  : download_limit;
    const DownloadShare now_shared{.limit = download_limit, .receives = running};
    if (now_shared == download_shared) {
        return;
    }
    download_shared = now_shared;
    for (const auto &[session, target] : receives) {
        target->set_rate(download_limit == 0 ? 0 : part);
        target->wake();
    }
}

void Engine::State::on(EndSession command, Timestamp now) {
    if (auto *target = share(command.session)) {
        target->end(Error{ErrorCode::Stopped, 0, "the share was stopped"}, now);
        shares.erase(command.session);
    } else if (auto *receiving = receive(command.session)) {
        receiving->end(now);
        receives.erase(command.session);
        share_download_limit();
    }
}

void Engine::State::on(DetachSession command, Timestamp now) {
    if (auto *receiving = receive(command.session)) {
        receiving->detach(now);
        receives.erase(command.session);
        share_download_limit();
    }
}

void Engine::State::on(SuspendShare command, Timestamp now) {
    if (auto *target = share(command.session)) {
        target->end(Error{ErrorCode::PeerGone, 0, "the sender's program ends, its share returns"},
                    now);
        shares.erase(command.session);
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

void Engine::State::on(OpenShare command, Timestamp) {
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

void Engine::State::on(OpenReceive command, Timestamp now) {
    const auto session = command.session;
    const auto peer = command.peer;
    if (!session_allowed(session, peer)) {
        return;
    }
    command.prefetch = command.prefetch && download_limit == 0 && !context.background;
    auto opened = ReceiveSession::open(
        context, std::move(command),
        [this, session](Timestamp turn) { return serve(session, turn); }, now);
    if (!opened) {
        refuse(session, peer, opened.error());
        return;
    }
    receives.emplace(session, std::move(*opened));
}

/// The turn of one receive, which may be destroyed at its end.
Timestamp Engine::State::serve(SessionNumber session, Timestamp now) {
    auto &target = *receives.at(session);
    if (target.service(now)) {
        return target.deadline();
    }
    receives.erase(session);
    share_download_limit();
    return kNever;
}

void Engine::State::end_all(Timestamp now) {
    for (const auto &[session, target] : shares) {
        target->end(Error{ErrorCode::Stopped, 0, "the sender's program was closed"}, now);
    }
    for (const auto &[session, target] : receives) {
        target->end(now);
    }
}

Engine::Engine(std::function<void()> on_events_waiting, Clock clock)
    : state_(std::make_unique<State>(std::move(on_events_waiting), std::move(clock))) {
    raise_descriptor_limit();
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

void Engine::wake() { state_->loop.wake(); }

void Engine::close() {
    {
        const std::lock_guard lock(state_->mutex);
        state_->closing = true;
    }
    state_->loop.wake();
    std::call_once(state_->joined, [this] { state_->network.join(); });
}

} // namespace thru

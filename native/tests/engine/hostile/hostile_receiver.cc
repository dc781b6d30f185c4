#include "engine/hostile/hostile_receiver.h"

#include <algorithm>
#include <future>
#include <utility>

#include <gtest/gtest.h>

#include "base/byte_reader.h"
#include "link/control_stream.h"
#include "support/patience.h"

namespace thru {

namespace {

/// Most bytes of streams that are stored for inspection; later ones are only counted.
constexpr std::uint64_t kMaxKept = 8 << 20;
/// Maximum time for its agent to close.
constexpr Timestamp kMaxOfClosing = 5 * kSecond;
/// The first unidirectional stream of a server.
constexpr StreamId kManifestStream = 3;

} // namespace

HostileReceiver::HostileReceiver(EnginePair &pair, std::string peer, Options options)
    : pair_(pair), peer_(std::move(peer)), options_(std::move(options)) {
    pair_.route(peer_, [this](const std::string &payload) {
        act([this, payload] { on_signal(payload); });
    });
    pair_.sender.post(AddPeer{EnginePair::kShare, peer_});
    thread_ = std::thread([this] { run(); });
}

HostileReceiver::~HostileReceiver() {
    pair_.unroute(peer_);
    {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
    }
    loop_.wake();
    thread_.join();
}

void HostileReceiver::act(std::function<void()> action) {
    {
        const std::lock_guard lock(mutex_);
        actions_.push_back(std::move(action));
    }
    loop_.wake();
}

void HostileReceiver::run() {
    loop_.prepare_thread();
    prepare();
    for (bool stop = false; !stop;) {
        std::deque<std::function<void()>> actions;
        {
            const std::lock_guard lock(mutex_);
            actions = std::exchange(actions_, {});
            stop = stopped_;
        }
        for (auto &action : actions) {
            action();
        }
        // A turn may block until something happens.
        if (!stop) {
            turn();
        }
    }
    if (connection_) {
        connection_->close(std::nullopt, path_->carriers(), monotonic_now());
    }
    connection_.reset();
    path_.reset();
    // Its sockets are closed once libnice has finished its pending work.
    const auto end = loop_.now() + kMaxOfClosing;
    while (loop_.has_pending() && loop_.now() < end) {
        loop_.run_once(end);
    }
}

void HostileReceiver::prepare() {
    auto identity = Identity::create();
    auto path = IcePath::create(loop_, {}, false, *this);
    ASSERT_TRUE(identity && path);
    identity_ = std::move(*identity);
    path_ = std::move(*path);
    pairing_ = Pairing::receiver(EnginePair::kNameplate, options_.secret,
                                 {.fingerprint = identity_->fingerprint(), .name = "Eve"});
    ASSERT_TRUE(path_->gather());
    send_payloads();
}

void HostileReceiver::turn() {
    auto deadline = kNever;
    if (gathered_ && proven_) {
        gathered_ = false;
        pairing_->send_candidates_done();
        send_payloads();
    }
    if (connection_) {
        go_on_flooding();
        const auto now = monotonic_now();
        connection_->on_deadline(now);
        const auto outcome = connection_->flush(path_->carriers(), now);
        // A busy path is free again soon, but does not report it.
        deadline = outcome == FlushOutcome::More       ? 0
                   : outcome == FlushOutcome::PathBusy ? now + kMillisecond
                                                       : connection_->deadline();
        if (const auto &closed = connection_->closed()) {
            end(closed->error.value_or(Error{ErrorCode::Stopped, 0, "ended in good order"}));
        }
    }
    loop_.run_once(deadline);
}

void HostileReceiver::go_on_flooding() {
    const std::lock_guard lock(mutex_);
    if (flood_ && (connection_->closed() || !flood_->go_on(*connection_))) {
        flooded_ = flood_->said();
        flood_.reset();
        changed_.notify_all();
    }
}

void HostileReceiver::on_signal(const std::string &payload) {
    auto events = pairing_->on_payload(payload);
    if (!events) {
        end(events.error());
        return;
    }
    for (const auto &event : *events) {
        if (const auto *keyed = std::get_if<PairingKeyed>(&event)) {
            EXPECT_TRUE(path_->set_credentials(keyed->own, keyed->peer));
        } else if (const auto *proven = std::get_if<PairingProven>(&event)) {
            sender_ = proven->peer.fingerprint;
            proven_ = true;
            if (path_->ready()) {
                on_ice_ready();
            }
        } else if (const auto *candidate = std::get_if<RemoteCandidate>(&event)) {
            path_->add_remote_candidate(options_.peer_candidate(candidate->line));
        } else if (std::holds_alternative<RemoteCandidatesDone>(event)) {
            path_->remote_candidates_done();
        }
    }
    send_payloads();
}

void HostileReceiver::send_payloads() {
    for (auto &payload : pairing_->take_payloads()) {
        static_cast<void>(
            pair_.sender.engine().post(Signal{EnginePair::kShare, peer_, std::move(payload)}));
    }
}

void HostileReceiver::on_local_candidate(std::string_view line) {
    pairing_->send_candidate(options_.candidate(line));
    send_payloads();
}

void HostileReceiver::on_local_candidates_done() { gathered_ = true; }

void HostileReceiver::on_ice_ready() {
    if (!proven_) {
        return;
    }
    auto context = identity_->client_context(sender_);
    ASSERT_TRUE(context);
    auto connection = Connection::client(std::move(*context),
                                         {.congestion_control = CongestionControl::Cubic,
                                          .datagram_bytes = path_->carriers().datagram_bytes()},
                                         *this, monotonic_now());
    ASSERT_TRUE(connection);
    connection_ = std::move(*connection);
}

void HostileReceiver::on_ice_failed() { end(Error{ErrorCode::NoRoute, 0, "no route"}); }

void HostileReceiver::on_datagrams(ByteView bytes, std::size_t segment_bytes, const Address &from) {
    if (connection_ && !deaf_) {
        connection_->on_datagrams(bytes, segment_bytes, monotonic_now(), PathId{.remote = from});
    }
}

void HostileReceiver::on_established() {
    deaf_ = options_.deaf;
    const auto &keys = pairing_->keys();
    auto exported = connection_->exported(kBindLabel, keys.transcript);
    ASSERT_TRUE(exported);
    binding_.emplace(LinkRole::Receiver, keys, *std::move(exported), std::nullopt);
    EXPECT_EQ(connection_->open_bidirectional(), kControlStream);
    if (const auto said = options_.binding(binding_->own()); !said.empty()) {
        connection_->write(kControlStream, said, false);
    }
    // An honest receiver does so, too: only then does it reply to the address that the sender uses.
    path_->carriers().settle(false);
    const std::lock_guard lock(mutex_);
    right_binding_ = binding_->own();
    changed_.notify_all();
}

void HostileReceiver::on_stream_data(StreamId stream, ByteView bytes, bool) {
    if (options_.reads) {
        connection_->consume_stream(stream, bytes.size());
        connection_->consume_connection(bytes.size());
    }
    const std::lock_guard lock(mutex_);
    bytes_ += bytes.size();
    if (bytes_ <= kMaxKept) {
        streams_[stream].append(bytes.begin(), bytes.end());
    }
    if (stream == kManifestStream) {
        take_list(bytes);
    }
    if (stream == kControlStream) {
        const auto bound = binding_->receive(bytes);
        EXPECT_TRUE(bound);
        static_cast<void>(
            decoder_.each(bytes.subspan(bound.value_or(0)), [this](const ControlMessage &message) {
                received_.push_back(message);
                return Result<>{};
            }));
    }
    changed_.notify_all();
}

void HostileReceiver::take_list(ByteView bytes) {
    if (!list_ && !bytes.empty()) {
        list_.emplace();
        bytes = bytes.subspan(1); // the stream's type
    }
    std::vector<ManifestEntry> entries;
    EXPECT_TRUE(list_->feed(bytes, entries));
    const auto marked = list_->checkpoint();
    if (marked && (checkpoints_.empty() || checkpoints_.back() != *marked)) {
        checkpoints_.push_back(*marked);
    }
}

void HostileReceiver::end(Error error) {
    const std::lock_guard lock(mutex_);
    if (!ended_) {
        ended_ = std::move(error);
        changed_.notify_all();
    }
}

void HostileReceiver::wait_until(const std::function<bool()> &reached) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, test::patience(std::chrono::seconds(30)), reached)) {
        ADD_FAILURE() << "what was expected did not come"
                      << (ended_ ? std::string(", but ") + std::string(error_name(ended_->code))
                                 : std::string{});
    }
}

Bytes HostileReceiver::wait_for_connection() {
    wait_until([this] { return right_binding_.has_value(); });
    const std::lock_guard lock(mutex_);
    return right_binding_.value_or(Bytes{});
}

std::uint64_t HostileReceiver::wait_for_checkpoint(std::size_t number) {
    wait_until([this, number] { return checkpoints_.size() > number; });
    const std::lock_guard lock(mutex_);
    return checkpoints_.size() > number ? checkpoints_[number] : 0;
}

void HostileReceiver::wait_for_bytes(std::uint64_t bytes) {
    wait_until([this, bytes] { return bytes_ >= bytes; });
}

bool HostileReceiver::seen(std::string_view text) const {
    return std::ranges::any_of(streams_,
                               [text](const auto &stream) { return stream.second.contains(text); });
}

void HostileReceiver::wait_for_text(std::string_view text) {
    wait_until([this, text] { return seen(text); });
}

Error HostileReceiver::wait_for_end() {
    wait_until([this] { return ended_.has_value(); });
    const std::lock_guard lock(mutex_);
    return ended_.value_or(Error{});
}

std::uint64_t HostileReceiver::bytes() {
    const std::lock_guard lock(mutex_);
    return bytes_;
}

bool HostileReceiver::has_text(std::string_view text) {
    const std::lock_guard lock(mutex_);
    return seen(text);
}

bool HostileReceiver::may_open_stream() {
    wait_for_connection();
    std::promise<bool> answer;
    act([this, &answer] {
        answer.set_value(connection_->open_bidirectional() || connection_->open_unidirectional());
    });
    return answer.get_future().get();
}

ContactExchange HostileReceiver::contact_exchange() {
    wait_for_connection();
    std::promise<ContactExchange> answer;
    act([this, &answer] {
        const auto exported = connection_->exported(kContactLabel, pairing_->keys().transcript);
        EXPECT_TRUE(exported);
        answer.set_value({LinkRole::Receiver, exported.value_or(SecretKey{})});
    });
    return answer.get_future().get();
}

void HostileReceiver::allow_streams(std::uint64_t count) {
    wait_for_connection();
    act([this, count] {
        for (std::uint64_t allowed = 0; allowed < count; ++allowed) {
            connection_->allow_stream();
        }
    });
}

void HostileReceiver::set_deaf(bool deaf) {
    wait_for_connection();
    act([this, deaf] { deaf_ = deaf; });
}

void HostileReceiver::end_control() {
    wait_for_connection();
    act([this] { connection_->write(kControlStream, ByteView{}, true); });
}

void HostileReceiver::reset_control() {
    wait_for_connection();
    act([this] { connection_->reset(kControlStream); });
}

std::uint64_t HostileReceiver::flood(std::uint64_t count, Flood::Make make) {
    wait_for_connection();
    {
        const std::lock_guard lock(mutex_);
        flood_.emplace(kControlStream, count, std::move(make));
    }
    loop_.wake();
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, test::patience(std::chrono::minutes(2)),
                                  [this] { return !flood_; }));
    return flooded_;
}

void HostileReceiver::control(const ControlMessage &message) {
    Bytes bytes;
    encode(message, bytes);
    control_bytes(std::move(bytes));
}

void HostileReceiver::control_bytes(Bytes bytes) {
    wait_for_connection();
    act([this, bytes = std::move(bytes)] { connection_->write(kControlStream, bytes, false); });
}

} // namespace thru

#include "engine/hostile/hostile_sender.h"

#include <algorithm>
#include <chrono>

#include <gtest/gtest.h>

#include "base/byte_reader.h"
#include "fs/disk.h"
#include "support/patience.h"
#include "support/segments.h"

namespace thru {

namespace {

constexpr StreamId kControl = 0;
constexpr const char *kNameplate = "4821";
constexpr const char *kWords = "apple-banana-cactus";

} // namespace

HostileSenderTest::HostileSenderTest(std::function<void(const Event &)> on_receiver_event,
                                     Transport transport, bool prefetch,
                                     const std::function<void(WatchedEngine &)> &prepare,
                                     Hello hello)
    : hello_(std::move(hello)), disk_(1, [this] { loop_.wake(); }), events_([] {}),
      context_{.loop = loop_,
               .disk = disk_,
               .events = events_,
               .buffers = BufferPool::create(),
               .upload = {},
               .suspending = {},
               .contacts = {}},
      receiver([this, on_receiver_event = std::move(on_receiver_event)](const Event &event) {
          if (const auto *signal = std::get_if<SignalEvent>(&event)) {
              act([this, payload = signal->payload] {
                  if (link_) {
                      link_->on_signal(payload);
                  }
              });
          }
          on_receiver_event(event);
      }) {
    folder_ = test::make_temporary_folder();
    thread_ = std::thread([this] { run(); });
    receiver.post(SetTransport{transport});
    prepare(receiver);
    receiver.post(OpenReceive{.session = kReceive,
                              .nameplate = kNameplate,
                              .secret = ByWords{kWords},
                              .peer = "s",
                              .name = "Jonas",
                              .prefetch = prefetch});
}

HostileSenderTest::~HostileSenderTest() {
    receiver.close();
    stop();
    std::filesystem::remove_all(folder_);
}

void HostileSenderTest::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
    }
    loop_.wake();
    if (thread_.joinable()) {
        thread_.join();
    }
}

bool HostileSenderTest::owes_reason_after_closing(std::optional<Error> error) {
    parting_ = std::move(error);
    stop();
    return owes_reason_;
}

void HostileSenderTest::act(std::function<void()> action) {
    {
        const std::lock_guard lock(mutex_);
        actions_.push_back(std::move(action));
    }
    loop_.wake();
}

void HostileSenderTest::run() {
    loop_.prepare_thread();
    auto identity = Identity::create();
    auto link =
        PeerLink::create(context_.links, task_,
                         {.role = LinkRole::Sender,
                          .nameplate = kNameplate,
                          .identity = std::make_shared<const Identity>(std::move(*identity)),
                          .name = "Eve",
                          .ice = {}},
                         std::nullopt, *this, monotonic_now());
    ASSERT_TRUE(link);
    link_ = std::move(*link);
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
        if (link_->take_request()) {
            link_->admit({PairingSecret::words(kWords), std::nullopt}, monotonic_now());
        }
        go_on_flooding();
        link_->service(monotonic_now());
        if (link_->closed()) {
            const std::lock_guard lock(mutex_);
            ended_ = link_->closed()->error.value_or(Error{ErrorCode::Stopped, 0, {}}).code;
            came_.notify_all();
        }
        if (!stop) {
            loop_.run_once(link_->deadline());
        }
    }
    link_->close(parting_, monotonic_now());
    context_.lingering.add(std::move(link_));
    owes_reason_ = context_.lingering.owes_reason();
    context_.lingering.clear();
}

void HostileSenderTest::go_on_flooding() {
    const std::lock_guard lock(mutex_);
    if (flood_ && (link_->closed() || !flood_->go_on(link_->connection()))) {
        flooded_ = flood_->said();
        flood_.reset();
        came_.notify_all();
    }
    if (!unended_.empty() && !link_->closed() && link_->connection().unacknowledged_bytes() == 0) {
        for (const auto stream : std::exchange(unended_, {})) {
            link_->connection().write(stream, ByteView{}, true);
        }
    }
}

std::uint64_t HostileSenderTest::flood(Flood flood) {
    wait_for<Hello>();
    {
        const std::lock_guard lock(mutex_);
        flood_ = std::move(flood);
    }
    loop_.wake();
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(
        came_.wait_for(lock, test::patience(std::chrono::minutes(2)), [this] { return !flood_; }));
    return flooded_;
}

std::uint64_t HostileSenderTest::flood_control(std::uint64_t count, Flood::Make make) {
    return flood({kControl, count, std::move(make)});
}

std::uint64_t HostileSenderTest::flood_streams(std::uint64_t count, Flood::Make make, bool fin) {
    return flood({std::nullopt, count, std::move(make), fin});
}

void HostileSenderTest::resend_until_done(std::string_view content) {
    for (std::size_t read = 0;; ++read) {
        std::unique_lock lock(mutex_);
        if (!came_.wait_for(lock, test::patience(std::chrono::seconds(30)),
                            [&] { return read < received_.size(); })) {
            report_missing(false);
            return;
        }
        const auto message = received_[read];
        lock.unlock();
        if (std::holds_alternative<Done>(message)) {
            return;
        }
        if (const auto *lost = std::get_if<Resend>(&message)) {
            segment({{.index = lost->index, .offset = lost->offset, .length = lost->length}},
                    std::string(content.substr(lost->offset, lost->length)));
        }
    }
}

ErrorCode HostileSenderTest::wait_for_end() {
    std::unique_lock lock(mutex_);
    came_.wait_for(lock, test::patience(std::chrono::seconds(30)),
                   [this] { return ended_.has_value(); });
    report_missing(ended_.has_value());
    return ended_.value_or(ErrorCode::Internal);
}

void HostileSenderTest::on_payload(std::string payload) {
    static_cast<void>(receiver.engine().post(Signal{kReceive, "s", std::move(payload)}));
}

void HostileSenderTest::on_connected() {}

void HostileSenderTest::on_stream_data(StreamId stream, ByteView bytes, bool) {
    link_->connection().consume_stream(stream, bytes.size());
    link_->connection().consume_connection(bytes.size());
    if (!std::exchange(open_, true)) {
        Bytes hello;
        encode(hello_, hello);
        link_->connection().write(kControl, hello, false);
    }
    static_cast<void>(decoder_.each(bytes, [this](const ControlMessage &message) -> Result<> {
        const std::lock_guard lock(mutex_);
        received_.push_back(message);
        came_.notify_all();
        return {};
    }));
}

void HostileSenderTest::report_missing(bool found) const {
    if (!found) {
        ADD_FAILURE() << "an expected message did not come";
    }
}

void HostileSenderTest::control(const ControlMessage &message) {
    Bytes bytes;
    encode(message, bytes);
    control_bytes(std::move(bytes));
}

void HostileSenderTest::control_bytes(Bytes bytes) {
    wait_for<Hello>();
    act([this, bytes = std::move(bytes)] { link_->connection().write(kControl, bytes, false); });
}

void HostileSenderTest::manifest_bytes(Bytes bytes) {
    wait_for<Hello>();
    act([this, bytes = std::move(bytes)] {
        if (!manifest_) {
            manifest_ = link_->connection().open_unidirectional();
            const std::uint8_t type = static_cast<std::uint8_t>(StreamType::Manifest);
            link_->connection().write(*manifest_, ByteView{&type, 1}, false);
        }
        link_->connection().write(*manifest_, bytes, false);
    });
}

void HostileSenderTest::offer(const std::vector<ManifestEntry> &entries) {
    Bytes bytes;
    Offer totals;
    for (const auto &entry : entries) {
        encoder_.add(entry, bytes);
        totals.files += entry.kind == EntryKind::File ? 1 : 0;
        totals.folders += entry.kind == EntryKind::Folder ? 1 : 0;
        totals.links += entry.kind == EntryKind::Link ? 1 : 0;
        totals.bytes += entry.size;
    }
    encoder_.checkpoint(bytes);
    manifest_bytes(std::move(bytes));
    control(totals);
}

void HostileSenderTest::grow(const std::vector<ManifestEntry> &entries) {
    Bytes bytes;
    for (const auto &entry : entries) {
        encoder_.add(entry, bytes);
    }
    encoder_.checkpoint(bytes);
    manifest_bytes(std::move(bytes));
}

void HostileSenderTest::segment(const SegmentPlan &plan, const std::string &data, bool damage) {
    Bytes bytes;
    encode_segment_header(plan, bytes);
    append_bytes(bytes, test::data_and_hash(bytes, data));
    bytes.back() ^= damage ? 1 : 0;
    stream(std::move(bytes));
}

void HostileSenderTest::stream(Bytes bytes, bool fin, bool late_fin) {
    wait_for<Hello>();
    act([this, bytes = std::move(bytes), fin, late_fin] {
        if (const auto opened = link_->connection().open_unidirectional()) {
            link_->connection().write(*opened, bytes, fin && !late_fin);
            if (late_fin) {
                unended_.push_back(*opened);
            }
        }
    });
}

bool HostileSenderTest::nothing_written() const {
    return std::ranges::all_of(std::filesystem::recursive_directory_iterator(folder_),
                               [this](const auto &entry) { return entry == target(); });
}

} // namespace thru

// A sender that sends anything to a real receiving engine, over real pairing, ICE and QUIC.
#pragma once

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/context.h"
#include "engine/engine_pair.h"
#include "engine/hostile/flood.h"
#include "link/peer_link.h"
#include "support/patience.h"
#include "wire/control.h"
#include "wire/manifest.h"
#include "wire/segment.h"

namespace thru {

class HostileSenderTest final : private PeerLinkListener {
public:
    /// Opens session kReceive of `receiver`, which uses `transport`, and connects to it. `prepare`
    /// posts earlier commands. It begins with `hello`.
    explicit HostileSenderTest(
        std::function<void(const Event &)> on_receiver_event = [](const Event &) {},
        Transport transport = {}, bool prefetch = false,
        const std::function<void(WatchedEngine &)> &prepare = [](WatchedEngine &) {},
        Hello hello = {.name = "Eve"});
    ~HostileSenderTest() override;

    std::filesystem::path target() const { return folder_ / "target"; }

    // Messages it sends; from any thread, in this order on each stream.

    void control(const ControlMessage &message);
    void control_bytes(Bytes bytes);
    /// Sends entries, encoded unchecked, then a checkpoint and an offer of their totals.
    void offer(const std::vector<ManifestEntry> &entries);
    /// Sends further entries after those of offer(), and another checkpoint.
    void grow(const std::vector<ManifestEntry> &entries);
    /// Sends raw bytes on the manifest stream, after its type byte.
    void manifest_bytes(Bytes bytes);
    /// Sends a segment with the right hash, or a wrong one with `damage`.
    void segment(const SegmentPlan &plan, const std::string &data, bool damage = false);
    /// Sends these bytes on a unidirectional stream. `late_fin` ends it after their acknowledgment.
    void stream(Bytes bytes, bool fin = true, bool late_fin = false);
    /// Sends `count` messages on the control stream, or each on its own stream, until the
    /// connection ends. Returns the number sent.
    std::uint64_t flood_control(std::uint64_t count, Flood::Make make);
    std::uint64_t flood_streams(std::uint64_t count, Flood::Make make, bool fin = true);

    /// The first message of this type that `matches`; fails the test after half a minute.
    template <class M>
    M wait_for(const std::function<bool(const M &)> &matches = [](const M &) { return true; }) {
        std::unique_lock lock(mutex_);
        std::optional<M> found;
        came_.wait_for(lock, test::patience(std::chrono::seconds(30)), [&] {
            for (const auto &message : received_) {
                if (const auto *wanted = std::get_if<M>(&message); wanted && matches(*wanted)) {
                    found = *wanted;
                    return true;
                }
            }
            return false;
        });
        report_missing(found.has_value());
        return found.value_or(M{});
    }

    /// Until the receiver is done, resends the data that it could not keep. `content` has the bytes
    /// of an entry from `offset`. Fails the test if nothing arrives for half a minute.
    void resend_until_done(std::string_view content);

    /// The reason its connection ended; fails the test after half a minute.
    ErrorCode wait_for_end();

    /// Closes its link, which then lingers, and stays silent. Returns true if it owes a reason.
    bool owes_reason_after_closing(std::optional<Error> error);

    /// Lets the receiver accept the offer.
    void accept() { receiver.post(Accept{kReceive, target().string(), {}, {}}); }
    /// True if the target is missing or empty.
    bool nothing_written() const;

private:
    void on_payload(std::string payload) override;
    void on_paired() override {}
    void on_connected() override;
    void on_find_path(FindPath) override {}
    void on_route_changed() override {}
    void on_stream_data(StreamId stream, ByteView bytes, bool fin) override;
    void on_stream_reset(StreamId) override {}
    void on_stream_closed(StreamId) override {}

    void run();
    void stop();
    void go_on_flooding();
    std::uint64_t flood(Flood flood);
    void act(std::function<void()> action);
    void report_missing(bool found) const;

    std::filesystem::path folder_;
    Hello hello_;
    std::mutex mutex_;
    std::condition_variable came_;
    std::deque<std::function<void()>> actions_;
    std::vector<ControlMessage> received_;
    bool stopped_ = false;
    /// The error with which it closes its link when it stops.
    std::optional<Error> parting_;
    bool owes_reason_ = false;
    std::optional<Flood> flood_;
    std::uint64_t flooded_ = 0;
    /// Streams whose end is held back.
    std::vector<StreamId> unended_;
    std::optional<ErrorCode> ended_;

    EventLoop loop_;
    DiskPool disk_;
    EventBuffer events_;
    EngineContext context_;
    Scheduler::Task task_{context_.scheduler, [](Timestamp) { return kNever; }};
    std::unique_ptr<PeerLink> link_;
    ControlDecoder decoder_;
    std::optional<StreamId> manifest_;
    ManifestEncoder encoder_;
    /// True once the receiver has opened its control stream, so that messages can be sent.
    bool open_ = false;
    std::thread thread_;

public:
    // Last, because its events use the members above.
    WatchedEngine receiver;

    static constexpr SessionNumber kReceive = 2;
};

} // namespace thru

// A sender that says whatever a test wants, over real pairing, ICE and QUIC, to a real receiving
// engine.
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
    /// Connects to `receiver`, whose session kReceive is opened by this, with `transport`.
    explicit HostileSenderTest(
        std::function<void(const Event &)> on_receiver_event = [](const Event &) {},
        Transport transport = {});
    ~HostileSenderTest() override;

    std::filesystem::path target() const { return folder_ / "target"; }

    // What it says; from any thread, in this order on the wire of each stream.

    void control(const ControlMessage &message);
    void control_bytes(Bytes bytes);
    /// Entries, encoded as they are, then a checkpoint; with an offer of their totals.
    void offer(const std::vector<ManifestEntry> &entries);
    /// More entries behind those of offer(), and another checkpoint.
    void grow(const std::vector<ManifestEntry> &entries);
    /// Raw bytes of the manifest stream, after its type byte.
    void manifest_bytes(Bytes bytes);
    /// A segment with the right hash, or with `damage` a wrong one.
    void segment(const SegmentPlan &plan, const std::string &data, bool damage = false);
    /// A unidirectional stream with these bytes; with `late_fin` its end comes when the receiver
    /// has acknowledged them.
    void stream(Bytes bytes, bool fin = true, bool late_fin = false);
    /// So many messages on the control stream, or on a stream of its own each; returns when all are
    /// said or the connection is over. How many were said.
    std::uint64_t flood_control(std::uint64_t count, Flood::Make make);
    std::uint64_t flood_streams(std::uint64_t count, Flood::Make make, bool fin = true);

    /// The first message of this type that came and `matches`; fails the test after half a minute.
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

    /// Sends again what the receiver could not keep, until it is done: what begins at `offset` of
    /// an entry has the bytes of `content` from there on. Fails the test after half a minute in
    /// which nothing came.
    void resend_until_done(std::string_view content);

    /// Why its connection ended; fails the test after half a minute.
    ErrorCode wait_for_end();

    /// Closes its link, which lingers then, and says nothing more. Whether it owes a reason.
    bool owes_reason_after_closing(std::optional<Error> error);

    /// The receiver accepts what was offered.
    void accept() { receiver.post(Accept{kReceive, target().string(), {}, {}}); }
    /// There is at most an empty target.
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
    std::mutex mutex_;
    std::condition_variable came_;
    std::deque<std::function<void()>> actions_;
    std::vector<ControlMessage> received_;
    bool stopped_ = false;
    /// How its link is closed when it stops.
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
    /// The receiver opened its control stream: anything can be said.
    bool open_ = false;
    std::thread thread_;

public:
    // Last: its events use what stands above.
    WatchedEngine receiver;

    static constexpr SessionNumber kReceive = 2;
};

} // namespace thru

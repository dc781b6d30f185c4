// The two ends of a transfer over a QUIC connection. Only the disk is replaced: content is a
// function of entry and offset, and is checked accordingly.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "quic/connection.h"
#include "transfer/manifests.h"
#include "transfer/receiver.h"
#include "transfer/sender.h"

namespace thru::sim {

/// Bytes of an entry, computed from its index and the offset.
Bytes content_of(std::uint64_t index, std::uint64_t offset, std::uint64_t length);

/// The sending end. Entries in `unreadable` fail when their segment is read.
class SendingEnd final : public ConnectionListener {
public:
    SendingEnd(std::shared_ptr<ManifestTable> manifest, std::set<std::uint64_t> unreadable);

    void attach(Connection &connection) { connection_ = &connection; }
    /// Also shares the manifest's current entries.
    void share_more() { checkpoints_wanted_ = manifest_->size(); }
    /// Gives one of every `segments` segments a wrong hash.
    void damage_every(std::uint64_t segments) { damage_every_ = segments; }
    void pump();

    Sender &sender() { return sender_; }
    const std::optional<Done> &finished() const { return finished_; }
    /// Bytes of segments passed to QUIC.
    std::uint64_t sent() const { return sent_; }

    void on_established() override {}
    void on_stream_data(StreamId stream, ByteView bytes, bool fin) override;
    void on_stream_reset(StreamId stream) override;
    void on_stream_closed(StreamId stream) override;

private:
    void send_manifest();
    void send_segment(StreamId stream, const SegmentPlan &plan);
    void handle(const SenderEvent &event);
    void compare(const Extents &extents);

    std::shared_ptr<ManifestTable> manifest_;
    std::set<std::uint64_t> unreadable_;
    Sender sender_;
    Connection *connection_ = nullptr;
    ControlDecoder control_;
    bool control_open_ = false;
    bool accepted_ = false;
    ManifestEncoder encoder_;
    std::optional<StreamId> manifest_stream_;
    std::size_t listed_ = 0;
    std::size_t checkpoints_wanted_ = 0;
    std::uint64_t damage_every_ = 0;
    std::uint64_t segments_ = 0;
    std::uint64_t sent_ = 0;
    /// Streams that are reset once half of their segment is sent.
    std::vector<StreamId> failing_;
    struct Failed {
        SegmentPlan plan;
        std::uint64_t index = 0;
        bool prefetched = false;
    };
    std::map<StreamId, Failed> failed_;
    /// The HAVE of an older version that is being compared, and what differs so far.
    std::optional<Have> compared_;
    std::vector<ByteRange> different_;
    std::optional<Done> finished_;
};

/// The receiving end. Accepts immediately; checks every hash and every relevant byte.
class ReceivingEnd final : public ConnectionListener {
public:
    explicit ReceivingEnd(ReceiverChoices choices) : choices_(std::move(choices)) {}

    void attach(Connection &connection) { connection_ = &connection; }
    void pump();

    Receiver &receiver() { return receiver_; }
    const std::optional<Done> &finished() const { return finished_; }
    bool released() const { return released_; }
    /// The validators of files in several segments.
    const std::map<std::uint64_t, WireId> &validators() const { return validators_; }
    /// True while the sender has paused.
    bool paused() const { return paused_; }

    void on_established() override { control_stream_ = connection_->open_bidirectional(); }
    void on_stream_data(StreamId stream, ByteView bytes, bool fin) override;
    void on_stream_reset(StreamId stream) override;
    void on_stream_closed(StreamId) override {}

private:
    struct Segment {
        Bytes bytes;
        SegmentPlan plan;
        bool started = false;
    };
    void on_control(ByteView bytes);
    void on_segment(Segment &segment, bool fin);
    void handle(const ReceiverEvent &event);

    Receiver receiver_{"Jonas", WireId{2}};
    ReceiverChoices choices_;
    Connection *connection_ = nullptr;
    std::optional<StreamId> control_stream_;
    std::optional<StreamId> manifest_stream_;
    ControlDecoder control_;
    std::map<StreamId, Segment> segments_;
    std::optional<Done> finished_;
    bool released_ = false;
    std::map<std::uint64_t, WireId> validators_;
    bool paused_ = false;
};

} // namespace thru::sim

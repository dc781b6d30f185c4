// Whole transfers in virtual time: both state machines, the wire format and QUIC over a lossy link.
// Only the disk is left out: content is a function of entry and offset, and is checked as such.
#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "crypto/digest.h"
#include "sim/virtual_link.h"
#include "transfer/manifests.h"
#include "transfer/receiver.h"
#include "transfer/sender.h"

namespace thru {
namespace {

using sim::LinkConfig;

constexpr StreamId kControlStream = 0;
constexpr std::uint64_t kHeld = 32ULL << 20;

std::uint8_t content(std::uint64_t index, std::uint64_t offset) {
    return static_cast<std::uint8_t>((index * 131) ^ offset ^ (offset >> 8) ^ (offset >> 16));
}

/// The bytes of a segment's stream, as the disk would give them.
Bytes segment_stream(const SegmentPlan &plan) {
    Bytes stream;
    encode_segment_header(plan, stream);
    for (const auto &piece : plan) {
        for (auto offset = piece.offset; offset < piece.offset + piece.length; ++offset) {
            stream.push_back(content(piece.index, offset));
        }
    }
    Blake3 hash;
    hash.update(stream);
    const auto digest = hash.finish();
    stream.insert(stream.end(), digest.begin(), digest.end());
    return stream;
}

/// The sending end over a connection. Entries of `unreadable` fail when their segment is read.
class SendingEnd final : public ConnectionListener {
public:
    SendingEnd(std::shared_ptr<ManifestTable> manifest, std::set<std::uint64_t> unreadable)
        : manifest_(manifest), unreadable_(std::move(unreadable)), sender_(manifest, "Mina") {}

    void attach(Connection &connection) { connection_ = &connection; }
    void pump();
    const std::optional<Done> &finished() const { return finished_; }

    void on_established() override { sender_.on_manifest_complete(); }
    void on_stream_data(StreamId stream, ByteView bytes, bool) override;
    void on_stream_reset(StreamId) override {}
    void on_stream_closed(StreamId stream) override {
        if (const auto found = failed_.find(stream); found != failed_.end()) {
            sender_.on_entry_failed(found->second.first, found->second.second,
                                    ErrorCode::SourceChanged);
            failed_.erase(found);
        }
    }

private:
    void send_manifest();
    void send_segment(StreamId stream, const SegmentPlan &plan);

    std::shared_ptr<ManifestTable> manifest_;
    std::set<std::uint64_t> unreadable_;
    Sender sender_;
    Connection *connection_ = nullptr;
    ControlDecoder control_;
    bool control_open_ = false;
    bool manifest_sent_ = false;
    std::map<StreamId, std::pair<SegmentPlan, std::uint64_t>> failed_;
    std::optional<Done> finished_;
};

void SendingEnd::on_stream_data(StreamId stream, ByteView bytes, bool) {
    ASSERT_EQ(stream, kControlStream);
    control_open_ = true;
    connection_->consume_stream(stream, bytes.size());
    connection_->consume_connection(bytes.size());
    control_.feed(bytes);
    for (auto message = control_.next();; message = control_.next()) {
        ASSERT_TRUE(message.has_value());
        if (!*message) {
            break;
        }
        ASSERT_TRUE(sender_.on_control(**message).has_value());
    }
}

void SendingEnd::send_manifest() {
    manifest_sent_ = true;
    const auto stream = connection_->open_unidirectional();
    ASSERT_TRUE(stream);
    Bytes out{static_cast<std::uint8_t>(StreamType::Manifest)};
    ManifestEncoder encoder;
    for (std::size_t index = 0; index < manifest_->size(); ++index) {
        encoder.add(manifest_->entry(index), out);
    }
    encoder.finish(out);
    connection_->write(*stream, out, true);
}

void SendingEnd::send_segment(StreamId stream, const SegmentPlan &plan) {
    const auto bytes = segment_stream(plan);
    const auto unreadable = std::ranges::find_if(
        plan, [this](const Piece &piece) { return unreadable_.contains(piece.index); });
    if (unreadable == plan.end()) {
        connection_->write(stream, bytes, true);
        return;
    }
    // Half of it is on its way when the read fails.
    connection_->write(stream, ByteView{bytes}.first(bytes.size() / 2), false);
    connection_->reset(stream);
    failed_[stream] = {plan, unreadable->index};
}

void SendingEnd::pump() {
    for (const auto &event : sender_.take_events()) {
        if (const auto *finished = std::get_if<SenderFinished>(&event)) {
            finished_ = finished->totals;
        }
    }
    if (!control_open_) {
        return;
    }
    if (!manifest_sent_) {
        send_manifest();
    }
    while (connection_->unacknowledged_bytes() < kHeld) {
        const auto plan = sender_.next_segment();
        if (!plan) {
            break;
        }
        const auto stream = connection_->open_unidirectional();
        ASSERT_TRUE(stream);
        send_segment(*stream, *plan);
    }
    Bytes out;
    for (const auto &message : sender_.take_messages()) {
        encode(message, out);
    }
    if (!out.empty()) {
        connection_->write(kControlStream, out, false);
    }
}

/// The receiving end. Accepts at once; checks every byte and every hash.
class ReceivingEnd final : public ConnectionListener {
public:
    ReceivingEnd() : receiver_("Jonas") {}

    void attach(Connection &connection) { connection_ = &connection; }
    void pump();
    const std::optional<Done> &finished() const { return finished_; }
    bool released() const { return released_; }

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
    void on_segment(Segment &segment, bool fin);

    Receiver receiver_;
    Connection *connection_ = nullptr;
    std::optional<StreamId> control_stream_;
    std::optional<StreamId> manifest_stream_;
    ControlDecoder control_;
    std::map<StreamId, Segment> segments_;
    std::optional<Done> finished_;
    bool released_ = false;
};

void ReceivingEnd::on_stream_data(StreamId stream, ByteView bytes, bool fin) {
    connection_->consume_connection(bytes.size());
    if (stream == control_stream_) {
        connection_->consume_stream(stream, bytes.size());
        control_.feed(bytes);
        for (auto message = control_.next();; message = control_.next()) {
            ASSERT_TRUE(message.has_value());
            if (!*message) {
                break;
            }
            ASSERT_TRUE(receiver_.on_control(**message).has_value());
        }
        return;
    }
    if (stream == manifest_stream_) {
        connection_->consume_stream(stream, bytes.size());
        ASSERT_TRUE(receiver_.on_manifest_bytes(bytes).has_value());
        return;
    }
    if (!segments_.contains(stream) && !manifest_stream_ && !bytes.empty() &&
        bytes.front() == static_cast<std::uint8_t>(StreamType::Manifest)) {
        manifest_stream_ = stream;
        connection_->consume_stream(stream, bytes.size());
        ASSERT_TRUE(receiver_.on_manifest_bytes(bytes.subspan(1)).has_value());
        return;
    }
    auto &segment = segments_[stream];
    segment.bytes.insert(segment.bytes.end(), bytes.begin(), bytes.end());
    on_segment(segment, fin);
    if (fin) {
        segments_.erase(stream);
    }
}

void ReceivingEnd::on_segment(Segment &segment, bool fin) {
    if (!segment.started) {
        auto parsed = parse_segment_header(segment.bytes);
        ASSERT_TRUE(parsed.has_value());
        if (*parsed) {
            segment.started = true;
            segment.plan = (*parsed)->plan;
            const auto started = receiver_.on_segment_started(segment.plan);
            ASSERT_TRUE(started.has_value()) << started.error().detail;
        }
    }
    if (fin) {
        ASSERT_TRUE(segment.bytes == segment_stream(segment.plan));
        receiver_.on_segment_written(segment.plan, 0);
    }
}

void ReceivingEnd::on_stream_reset(StreamId stream) {
    if (const auto found = segments_.find(stream); found != segments_.end()) {
        if (found->second.started) {
            receiver_.on_segment_abandoned(found->second.plan);
        }
        segments_.erase(found);
    }
}

void ReceivingEnd::pump() {
    for (const auto &event : receiver_.take_events()) {
        if (std::holds_alternative<ReceiverOffered>(event)) {
            receiver_.accept();
        } else if (const auto *whole = std::get_if<ReceiverFileWhole>(&event)) {
            receiver_.on_file_named(whole->index, false);
        } else if (const auto *finished = std::get_if<ReceiverFinished>(&event)) {
            finished_ = finished->totals;
        } else if (std::holds_alternative<ReceiverReleased>(event)) {
            released_ = true;
        }
    }
    if (!control_stream_) {
        return;
    }
    Bytes out;
    for (const auto &message : receiver_.take_messages()) {
        encode(message, out);
    }
    if (!out.empty()) {
        connection_->write(*control_stream_, out, false);
    }
}

struct Outcome {
    std::optional<Done> sender;
    std::optional<Done> receiver;
    double seconds = 0;
};

Outcome transfer(const LinkConfig &link, std::shared_ptr<ManifestTable> manifest,
                 std::set<std::uint64_t> unreadable = {}) {
    SendingEnd sending(std::move(manifest), std::move(unreadable));
    ReceivingEnd receiving;
    sim::Pair pair(link, sending, receiving);
    sending.attach(pair.sender());
    receiving.attach(pair.receiver());
    const auto begun = pair.now();
    pair.run_until(
        [&] {
            sending.pump();
            receiving.pump();
            return sending.finished() && receiving.released();
        },
        600);
    return {sending.finished(), receiving.finished(),
            static_cast<double>(pair.now() - begun) / 1e9};
}

std::shared_ptr<ManifestTable> mixed_files() {
    return test::manifest_of({test::folder("a"), test::file("a/big", 20'000'001),
                              test::file("a/empty", 0), test::file("a/one", 1),
                              test::folder("a/none"), test::file("b", 8 << 20),
                              test::file("c", (8 << 20) + 1)});
}

TEST(TransferOverALink, MixedFilesArriveWhateverTheSeed) {
    for (const std::uint32_t seed : {1U, 2U, 3U, 4U}) {
        const auto outcome =
            transfer({.one_way_delay = 15 * kMillisecond, .rate = 25e6, .loss = 0.01, .seed = seed},
                     mixed_files());
        ASSERT_TRUE(outcome.sender && outcome.receiver) << "seed " << seed;
        EXPECT_EQ(outcome.receiver->files, 5U);
        EXPECT_EQ(outcome.receiver->bytes, 20'000'002U + (8 << 20) + (8 << 20) + 1);
        EXPECT_EQ(outcome.sender->bytes, outcome.receiver->bytes);
    }
}

TEST(TransferOverALink, FilesThatFailInTheMiddleLeaveTheOthersWhole) {
    for (const std::uint32_t seed : {1U, 2U, 3U}) {
        const auto outcome =
            transfer({.one_way_delay = 15 * kMillisecond, .loss = 0.02, .seed = seed},
                     test::files_of(200, 60'000), {3, 90, 91, 199});
        ASSERT_TRUE(outcome.receiver) << "seed " << seed;
        EXPECT_EQ(outcome.receiver->files, 196U);
        EXPECT_EQ(outcome.receiver->problems, 4U);
    }
}

TEST(TransferOverALink, AThousandFilesTakeNoLongerThanOneOfTheirSize) {
    const LinkConfig link{.one_way_delay = 50 * kMillisecond, .rate = 37.5e6, .queue = 2 << 20};
    const auto one = transfer(link, test::files_of(1, 32'000'000));
    const auto many = transfer(link, test::files_of(1000, 32'000));
    ASSERT_TRUE(one.receiver && many.receiver);
    // Virtual time: the same on every machine.
    EXPECT_LT(many.seconds, one.seconds * 1.03) << one.seconds << " s for one file";
}

TEST(TransferOverALink, ALinkThatLosesAFifthStillDelivers) {
    const auto outcome = transfer({.one_way_delay = 10 * kMillisecond, .loss = 0.2, .seed = 9},
                                  test::files_of(30, 5000));
    ASSERT_TRUE(outcome.receiver);
    EXPECT_EQ(outcome.receiver->files, 30U);
}

} // namespace
} // namespace thru

// A sender and a receiver connected in memory, which exchange the bytes of the wire format.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/parsed_segment_header.h"
#include "transfer/receiving.h"
#include "transfer/sending.h"

namespace thru::test {

/// A control stream in one direction.
class ControlPipe {
public:
    void send(const std::vector<ControlMessage> &messages) {
        for (const ControlMessage &message : messages) {
            encode(message, bytes_);
        }
    }
    bool idle() const { return sent_ == bytes_.size(); }
    template <class End> void deliver(std::size_t most, End &end) {
        const std::size_t take = std::min(most, bytes_.size() - sent_);
        const ByteView bytes = ByteView(bytes_).subspan(sent_, take);
        sent_ += take;
        const auto taken = decoder_.each(
            bytes, [&](const ControlMessage &message) { return end.on_control(message); });
        ASSERT_TRUE(taken.has_value()) << taken.error().detail;
    }

private:
    Bytes bytes_;
    std::size_t sent_ = 0;
    ControlDecoder decoder_;
};

/// The plan after encoding and decoding.
inline SegmentPlan through_bytes(const SegmentPlan &plan) {
    Bytes header;
    encode_segment_header(plan, header);
    SegmentHeaderDecoder decoder;
    EXPECT_EQ(decoder.feed(header), header.size());
    return decoder.plan();
}

class Joined {
public:
    static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

    std::shared_ptr<ManifestTable> table = std::make_shared<ManifestTable>();
    Sender sender = new_sender(table);
    Receiver receiver = new_receiver();
    std::vector<SenderEvent> sender_events;
    std::vector<ReceiverEvent> receiver_events;

    /// Adds to the share without announcing it.
    void add(const ManifestEntry &entry) {
        ASSERT_TRUE(table->add(entry).has_value());
        encoder_.add(entry, manifest_);
    }
    void checkpoint() {
        encoder_.checkpoint(manifest_);
        sender.on_checkpoint();
    }

    /// Moves at most this many bytes of each stream. Returns false if all had arrived before.
    bool exchange(std::size_t control = kAll, std::size_t manifest = kAll) {
        to_receiver_.send(sender.take_messages());
        to_sender_.send(answers());
        const bool moved = !idle();
        const std::size_t take = std::min(manifest, manifest_.size() - manifest_sent_);
        const auto read =
            receiver.on_manifest_bytes(ByteView(manifest_).subspan(manifest_sent_, take));
        EXPECT_TRUE(read.has_value());
        manifest_sent_ += take;
        to_receiver_.deliver(control, receiver);
        to_sender_.deliver(control, sender);
        std::ranges::move(sender.take_events(), std::back_inserter(sender_events));
        std::ranges::move(receiver.take_events(), std::back_inserter(receiver_events));
        return moved;
    }
    void exchange_all() {
        while (exchange()) {
        }
    }
    bool idle() const {
        return to_receiver_.idle() && to_sender_.idle() && manifest_sent_ == manifest_.size();
    }

    /// Takes the events since the last call.
    template <class Kind> std::vector<Kind> take(std::vector<SenderEvent> &events) {
        auto found = only<Kind>(events);
        std::erase_if(events,
                      [](const auto &event) { return std::holds_alternative<Kind>(event); });
        return found;
    }
    template <class Kind> std::vector<Kind> take(std::vector<ReceiverEvent> &events) {
        auto found = only<Kind>(events);
        std::erase_if(events,
                      [](const auto &event) { return std::holds_alternative<Kind>(event); });
        return found;
    }

    /// Delivers all data that the sender wants to send, writes it and publishes files.
    void move_data() {
        for (exchange_all();; exchange_all()) {
            name_all();
            const auto plan = sender.next_segment();
            if (!plan) {
                exchange_all();
                return;
            }
            receive(receiver, through_bytes(*plan));
        }
    }
    void name_all() {
        for (const auto &whole : take<ReceiverFilesComplete>(receiver_events)) {
            for (const std::uint64_t index : whole.indexes) {
                receiver.on_file_published(index, false);
            }
        }
    }
    /// Makes everything durable, if the receiver is complete.
    void commit() {
        receiver.on_all_durable();
        exchange_all();
    }

private:
    /// The receiver's messages, with its progress unless it is done.
    std::vector<ControlMessage> answers() {
        auto messages = receiver.take_messages();
        for (const ControlMessage &message : messages) {
            const bool resumed = std::holds_alternative<Request>(message);
            done_ = std::holds_alternative<Done>(message) || (done_ && !resumed);
        }
        const auto sums = receiver.totals();
        const Progress before =
            std::exchange(reported_, {.files = sums.files, .bytes = sums.bytes});
        if (!done_ && (before.files != sums.files || before.bytes != sums.bytes)) {
            messages.emplace_back(reported_);
        }
        return messages;
    }

    Progress reported_;
    bool done_ = false;
    ManifestEncoder encoder_;
    Bytes manifest_;
    std::size_t manifest_sent_ = 0;
    ControlPipe to_sender_;
    ControlPipe to_receiver_;
};

} // namespace thru::test

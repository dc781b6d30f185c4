// A sender and a receiver, joined by encoded bytes that arrive in pieces, segments that overtake
// each other, and files that can't be read or written.
#include <algorithm>
#include <deque>
#include <random>
#include <set>

#include "transfer/manifests.h"
#include "transfer/receiver.h"
#include "transfer/sender.h"

namespace thru {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;

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
        decoder_.feed(ByteView(bytes_).subspan(sent_, take));
        sent_ += take;
        for (auto next = decoder_.next();; next = decoder_.next()) {
            ASSERT_TRUE(next.has_value());
            if (!*next) {
                return;
            }
            const auto taken = end.on_control(**next);
            ASSERT_TRUE(taken.has_value()) << taken.error().detail;
        }
    }

private:
    Bytes bytes_;
    std::size_t sent_ = 0;
    ControlDecoder decoder_;
};

class Pair {
public:
    explicit Pair(std::uint32_t seed) : random_(seed) { make_manifest(); }

    void run();

private:
    struct InFlight {
        SegmentPlan plan;
        bool started = false;
    };

    std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
    bool chance(unsigned percent) { return below(100) < percent; }

    void make_manifest();
    void transmit_manifest();
    void step();
    void send_segment();
    void start_segment();
    void write_segment();
    void exchange();
    void check_end();

    std::mt19937 random_;
    std::shared_ptr<ManifestTable> table_ = std::make_shared<ManifestTable>();
    std::set<std::uint64_t> unreadable_;
    std::set<std::uint64_t> unwritable_;
    Sender sender_{table_, "sender"};
    Receiver receiver_{"receiver"};
    ControlPipe to_sender_;
    ControlPipe to_receiver_;
    std::vector<InFlight> in_flight_;
    std::deque<std::uint64_t> to_name_;
    std::set<std::uint64_t> failures_told_by_sender_;
    std::set<std::uint64_t> failures_told_by_receiver_;
    std::uint64_t renamed_ = 0;
    bool accepted_ = false;
    bool released_ = false;
    std::optional<Done> sender_done_;
    std::optional<Done> receiver_done_;
};

void Pair::make_manifest() {
    const std::size_t entries = 1 + below(400);
    for (std::size_t index = 0; index < entries; ++index) {
        const std::string path = "e" + std::to_string(index);
        const bool is_folder = chance(10);
        const std::uint64_t size = chance(10) ? 0 : chance(5) ? below(60 * kMiB) : below(kMiB);
        ASSERT_TRUE(table_->add(is_folder ? test::folder(path) : test::file(path, size)));
        if (!is_folder && chance(8)) {
            unreadable_.insert(index);
        }
        if (chance(8)) {
            unwritable_.insert(index);
        }
    }
}

void Pair::transmit_manifest() {
    Bytes bytes;
    ManifestEncoder encoder;
    for (std::size_t index = 0; index < table_->size(); ++index) {
        encoder.add(table_->entry(index), bytes);
    }
    encoder.finish(bytes);
    for (ByteView rest = bytes; !rest.empty();) {
        const std::size_t take = std::min<std::size_t>(rest.size(), 1 + below(5000));
        ASSERT_TRUE(receiver_.on_manifest_bytes(rest.first(take)));
        rest = rest.subspan(take);
        exchange();
    }
    sender_.on_manifest_complete();
}

/// What the receiver's stream gives: the plan after its way through bytes.
SegmentPlan through_bytes(const SegmentPlan &plan) {
    Bytes header;
    encode_segment_header(plan, header);
    const auto parsed = parse_segment_header(header);
    EXPECT_TRUE(parsed && *parsed && (*parsed)->consumed == header.size());
    return parsed && *parsed ? (*parsed)->plan : SegmentPlan{};
}

void Pair::send_segment() {
    if (in_flight_.size() >= 12) {
        return;
    }
    auto plan = sender_.next_segment();
    if (!plan) {
        return;
    }
    ASSERT_LE(plan_bytes(*plan), kSegmentBytes);
    ASSERT_LE(plan->size(), kMaxPieces);
    const auto bad = std::ranges::find_if(
        *plan, [this](const Piece &piece) { return unreadable_.contains(piece.index); });
    if (bad == plan->end()) {
        in_flight_.push_back({through_bytes(*plan)});
        return;
    }
    // Found out before or after the receiver saw the beginning of the stream, which is reset then.
    if (chance(50)) {
        ASSERT_TRUE(receiver_.on_segment_started(through_bytes(*plan)));
        receiver_.on_segment_abandoned(*plan);
    }
    sender_.on_entry_failed(*plan, bad->index, ErrorCode::SourceChanged);
}

void Pair::start_segment() {
    if (in_flight_.empty()) {
        return;
    }
    InFlight &segment = in_flight_[below(in_flight_.size())];
    if (!segment.started) {
        const auto started = receiver_.on_segment_started(segment.plan);
        ASSERT_TRUE(started.has_value()) << started.error().detail;
        segment.started = true;
    }
}

void Pair::write_segment() {
    if (in_flight_.empty()) {
        return;
    }
    const auto at = static_cast<std::ptrdiff_t>(below(in_flight_.size()));
    if (!in_flight_[static_cast<std::size_t>(at)].started) {
        return;
    }
    const SegmentPlan plan = std::move(in_flight_[static_cast<std::size_t>(at)].plan);
    in_flight_.erase(in_flight_.begin() + at);
    std::uint64_t renamed = 0;
    for (const Piece &piece : plan) {
        const bool whole = piece.offset == 0 && piece.length == table_->file_size(piece.index);
        if (unwritable_.contains(piece.index)) {
            receiver_.on_entry_failed(piece.index, ErrorCode::TargetNotWritable);
        } else if (whole && chance(3)) {
            ++renamed;
        }
    }
    receiver_.on_segment_written(plan, renamed);
    renamed_ += renamed;
}

/// Messages and events of both, each stream moving a little.
void Pair::exchange() {
    to_receiver_.send(sender_.take_messages());
    to_sender_.send(receiver_.take_messages());
    to_receiver_.deliver(below(200), receiver_);
    to_sender_.deliver(below(200), sender_);
    for (const SenderEvent &event : sender_.take_events()) {
        if (const auto *failed = std::get_if<SenderEntryFailed>(&event)) {
            EXPECT_TRUE(failures_told_by_sender_.insert(failed->index).second);
        } else if (const auto *finished = std::get_if<SenderFinished>(&event)) {
            sender_done_ = finished->totals;
        }
    }
    for (const ReceiverEvent &event : receiver_.take_events()) {
        if (std::holds_alternative<ReceiverOffered>(event)) {
            for (const std::uint64_t index : unwritable_) {
                if (table_->kind(index) == EntryKind::Folder) {
                    receiver_.on_entry_failed(index, ErrorCode::TargetNotWritable);
                }
            }
            receiver_.accept();
            accepted_ = true;
        } else if (const auto *whole = std::get_if<ReceiverFileWhole>(&event)) {
            to_name_.push_back(whole->index);
        } else if (const auto *failed = std::get_if<ReceiverEntryFailed>(&event)) {
            EXPECT_TRUE(failures_told_by_receiver_.insert(failed->index).second);
        } else if (const auto *finished = std::get_if<ReceiverFinished>(&event)) {
            receiver_done_ = finished->totals;
        } else if (std::holds_alternative<ReceiverReleased>(event)) {
            released_ = true;
        }
    }
}

void Pair::step() {
    switch (below(5)) {
    case 0:
        return send_segment();
    case 1:
        return start_segment();
    case 2:
        return write_segment();
    case 3:
        if (!to_name_.empty()) {
            const bool renamed = chance(30);
            renamed_ += renamed ? 1 : 0;
            receiver_.on_file_named(to_name_.front(), renamed);
            to_name_.pop_front();
        }
        return;
    default:
        return exchange();
    }
}

void Pair::run() {
    transmit_manifest();
    for (int steps = 0; steps < 200'000 && !released_ && !testing::Test::HasFatalFailure();
         ++steps) {
        step();
    }
    check_end();
}

void Pair::check_end() {
    ASSERT_TRUE(released_);
    Done expected{.renamed = renamed_};
    for (std::uint64_t index = 0; index < table_->size(); ++index) {
        if (unreadable_.contains(index) || unwritable_.contains(index)) {
            ++expected.problems;
        } else if (table_->kind(index) == EntryKind::File) {
            ++expected.files;
            expected.bytes += table_->file_size(index);
        }
    }
    ASSERT_TRUE(sender_done_ && receiver_done_);
    for (const Done &done : {*sender_done_, *receiver_done_}) {
        EXPECT_EQ(done.files, expected.files);
        EXPECT_EQ(done.bytes, expected.bytes);
        EXPECT_EQ(done.problems, expected.problems);
        EXPECT_EQ(done.renamed, expected.renamed);
    }
    EXPECT_EQ(failures_told_by_receiver_.size(), expected.problems);
    EXPECT_EQ(failures_told_by_sender_, failures_told_by_receiver_);
}

TEST(SenderAndReceiver, EndWithTheRightTotalsWhateverHappens) {
    for (std::uint32_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE(seed);
        Pair(seed).run();
        ASSERT_FALSE(HasFailure());
    }
}

} // namespace
} // namespace thru

#include "engine/receive/receive_output.h"

#include <algorithm>
#include <utility>

#include "fs/standard_stream.h"
#include "quic/connection.h"

namespace thru {

namespace {

/// Half of the streams that a sender may open.
constexpr std::size_t kMaxKeptSegments = 128;
/// Time after which a missing segment may lack credit because others hold it.
constexpr Timestamp kPatience = 2 * kSecond;
/// Time that one job waits for the reader; the pool replaces a thread that hangs longer.
constexpr std::chrono::milliseconds kWait{200};
/// Bytes that one job writes.
constexpr std::uint64_t kStepBytes = 1ULL << 20;
constexpr std::size_t kZeros = 64 * 1024;

} // namespace

struct ReceiveOutput::Item {
    Piece piece;
    std::uint64_t credit = 0;
    /// Runs of bytes; none for a hole.
    std::vector<Bytes> data;
    // Used by the strand while it is written.
    std::size_t run = 0;
    std::size_t run_done = 0;
    std::uint64_t done = 0;

    ByteView next() const {
        if (data.empty()) {
            static const Bytes zeros(kZeros);
            return ByteView{zeros}.first(std::min<std::uint64_t>(kZeros, piece.length - done));
        }
        return ByteView{data[run]}.subspan(run_done);
    }
    void take(std::size_t bytes) {
        done += bytes;
        run_done += bytes;
        if (!data.empty() && run_done == data[run].size()) {
            data[run++] = {};
            run_done = 0;
        }
    }
};

/// The result of one job.
struct ReceiveOutput::Step {
    bool complete = false;
};

ReceiveOutput::ReceiveOutput(EngineContext &context, Scheduler::Task &task, Receiver &receiver,
                             std::uint64_t index, int descriptor, Listener listener)
    : context_(context), receiver_(receiver), index_(index),
      max_waiting_(context.links.transport.connection() / 2), descriptor_(descriptor),
      listener_(std::move(listener)), strand_(context.disk.make_strand()),
      lifetime_([&task] { task.wake(); }) {}

void ReceiveOutput::request_up_to(std::uint64_t end) {
    if (const auto begin = receiver_.accepted_end(); begin < end) {
        RangeSet unwanted;
        unwanted.add(begin, end);
        unwanted.remove(index_, index_ + 1);
        receiver_.accept(end, {.unwanted = unwanted.indexes()});
    }
}

void ReceiveOutput::on_removed(const IndexRanges &removed) {
    if (!part_of(removed, index_, index_ + 1).empty()) {
        listener_.on_failed({ErrorCode::Stopped, 0, "the sender took the file out of the share"});
    }
}

void ReceiveOutput::add(const Piece &piece, std::vector<Bytes> data, std::uint64_t credit) {
    // Nothing to write: the empty piece of an empty file, the end of a stream, or a duplicate.
    if (piece.length == 0 || piece.offset < written_ || waiting_.contains(piece.offset)) {
        listener_.on_taken(credit);
        return;
    }
    waiting_bytes_ += credit;
    waiting_.emplace(piece.offset, std::make_shared<Item>(Item{
                                       .piece = piece, .credit = credit, .data = std::move(data)}));
    write_on();
}

void ReceiveOutput::add_hole(const Piece &piece) {
    if (piece.length > 0) {
        holes_.add(piece.offset, piece.offset + piece.length);
        write_on();
    }
}

/// The next item in file order; null if it is missing.
std::shared_ptr<ReceiveOutput::Item> ReceiveOutput::take_next() {
    // A sender may resend bytes that a hole or an earlier segment covered.
    while (!waiting_.empty() && waiting_.begin()->first < written_) {
        release(waiting_.begin());
    }
    if (written_ > 0) {
        holes_.remove(0, written_);
    }
    if (!waiting_.empty() && waiting_.begin()->first == written_) {
        auto next = std::move(waiting_.extract(waiting_.begin()).mapped());
        waiting_bytes_ -= next->credit;
        return next;
    }
    const auto holes = holes_.indexes(written_, written_ + kStepBytes);
    if (!holes.empty() && holes.front().first == written_) {
        return std::make_shared<Item>(
            Item{.piece = {.offset = written_, .length = holes.front().count}});
    }
    return nullptr;
}

void ReceiveOutput::write_on() {
    if (!current_) {
        current_ = take_next();
        if (current_) {
            patience_ends_ = kNever;
            on_step(Step{});
        }
    }
}

/// Jobs are short, so the end of the receive never waits for a reader that takes nothing.
void ReceiveOutput::on_step(const Result<Step> &step) {
    if (!step) {
        listener_.on_failed(step.error());
        return;
    }
    if (step->complete) {
        const auto written = std::exchange(current_, nullptr);
        written_ += written->piece.length;
        if (written->credit > 0) {
            listener_.on_taken(written->credit);
        }
        write_on();
        return;
    }
    context_.disk.fetch(
        strand_, lifetime_, {.lane = DiskLane::Data},
        [item = current_, descriptor = descriptor_]() -> Result<Step> {
            for (std::uint64_t bytes = 0; item->done < item->piece.length && bytes < kStepBytes;) {
                const auto flow = fs::write_stream(descriptor, item->next(), kWait);
                if (!flow) {
                    const bool unread = flow.error().kind == fs::ErrorKind::NotFound;
                    return std::unexpected(
                        unread ? Error{ErrorCode::OutputClosed, flow.error().number, "write"}
                               : fs::writing_error(flow.error(), "write to the output"));
                }
                item->take(flow->bytes);
                bytes += flow->bytes;
                if (flow->bytes == 0) {
                    break;
                }
            }
            return Step{.complete = item->done == item->piece.length};
        },
        [this](const Result<Step> &done) { on_step(done); });
}

void ReceiveOutput::service(Timestamp now) {
    bound_waiting(now);
    if (receiver_.holds_complete(index_) && written_ == receiver_.manifest()->file_size(index_)) {
        receiver_.on_file_published(index_, false);
    }
    if (receiver_.complete()) {
        receiver_.on_all_durable();
    }
}

/// Requests segments again that have waited too long behind a missing one.
void ReceiveOutput::bound_waiting(Timestamp now) {
    if (current_ || waiting_.empty()) {
        patience_ends_ = kNever;
        return;
    }
    if (patience_ends_ == kNever) {
        patience_ends_ = now + kPatience;
    }
    if (patience_ends_ <= now) {
        patience_ends_ = now + kPatience;
        give_up_last();
    }
    while (waiting_bytes_ > max_waiting_ || waiting_.size() > kMaxKeptSegments) {
        give_up_last();
    }
}

void ReceiveOutput::give_up_last() {
    const auto piece = std::prev(waiting_.end())->second->piece;
    release(std::prev(waiting_.end()));
    receiver_.on_bytes_lost(piece);
}

/// Drops a segment that won't be written, and renews its credit.
void ReceiveOutput::release(Waiting::iterator item) {
    const auto credit = item->second->credit;
    waiting_bytes_ -= credit;
    waiting_.erase(item);
    listener_.on_taken(credit);
}

Timestamp ReceiveOutput::deadline() const { return patience_ends_; }

} // namespace thru

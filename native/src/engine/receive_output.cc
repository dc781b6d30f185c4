#include "engine/receive_output.h"

#include <algorithm>
#include <utility>

#include "fs/standard_stream.h"
#include "quic/connection.h"

namespace thru {

namespace {

/// Half of the streams that a sender may have.
constexpr std::size_t kMostKeptSegments = 128;
/// A segment that is missing for so long may be without credit, which others keep.
constexpr Timestamp kPatience = 2 * kSecond;
/// How long one job waits for the reader: a pool thread that hangs longer is made up for.
constexpr std::chrono::milliseconds kWait{200};
/// What one job writes.
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

/// What one job came to.
struct ReceiveOutput::Step {
    bool complete = false;
};

ReceiveOutput::ReceiveOutput(EngineContext &context, Scheduler::Task &task, int descriptor,
                             Listener listener)
    : context_(context), most_waiting_(context.transport.connection() / 2), descriptor_(descriptor),
      listener_(std::move(listener)), strand_(context.disk.make_strand()),
      lifetime_([&task] { task.wake(); }) {}

void ReceiveOutput::add(const Piece &piece, std::vector<Bytes> data, std::uint64_t credit) {
    add(piece,
        std::make_shared<Item>(Item{.piece = piece, .credit = credit, .data = std::move(data)}));
}

void ReceiveOutput::add_hole(const Piece &piece) {
    add(piece, std::make_shared<Item>(Item{.piece = piece}));
}

void ReceiveOutput::add(const Piece &piece, std::shared_ptr<Item> item) {
    // Nothing to write: the empty piece of an empty file, or the end of a stream.
    if (piece.length == 0) {
        listener_.on_taken(item->credit);
        return;
    }
    waiting_bytes_ += item->credit;
    waiting_.emplace(piece.offset, std::move(item));
    write_on();
}

void ReceiveOutput::write_on() {
    if (!current_ && !waiting_.empty() && waiting_.begin()->first == written_) {
        current_ = std::move(waiting_.extract(waiting_.begin()).mapped());
        waiting_bytes_ -= current_->credit;
        patience_ends_ = kNever;
    } else {
        return;
    }
    on_step(Step{});
}

/// Each job is short, and nobody waits for a reader that takes nothing when all of it ends.
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
    while (waiting_bytes_ > most_waiting_ || waiting_.size() > kMostKeptSegments) {
        give_up_last();
    }
}

/// Holes keep no credit, but may be as many.
void ReceiveOutput::give_up_last() {
    const auto last =
        std::ranges::find_if(waiting_.rbegin(), waiting_.rend(),
                             [](const auto &item) { return item.second->credit > 0; });
    if (last == waiting_.rend()) {
        return;
    }
    const auto item = last->second;
    waiting_.erase(item->piece.offset);
    waiting_bytes_ -= item->credit;
    listener_.on_taken(item->credit);
    listener_.on_given_up(item->piece);
}

Timestamp ReceiveOutput::deadline() const { return patience_ends_; }

} // namespace thru

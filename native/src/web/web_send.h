// One sending of a web page to a computer that requests files. The page reads them.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "base/rate_limiter.h"
#include "crypto/digest.h"
#include "transfer/manifest_table.h"
#include "transfer/sender.h"
#include "web/web_have_check.h"
#include "web/web_transfer.h"

namespace thru {

class WebSend final : public WebTransfer {
public:
    struct Identity {
        /// Random, and the same for all attempts.
        WireId share{};
        /// Random, and the same as long as the page holds the same files: they can't change
        /// unnoticed.
        WireId files{};
    };
    /// `own_name` is shown to the requester. BadCode, or Internal if a library fails.
    static Result<std::unique_ptr<WebSend>> open(std::string_view code, std::string own_name,
                                                 const Identity &identity, WebPage &page,
                                                 Timestamp now);
    ~WebSend() override;

    /// Adds a file or folder to the offer; the path must be canonical. LimitExceeded.
    Result<> add(const ManifestEntry &entry);
    /// Offers everything added; only once, and only if something was added.
    void offer(Timestamp now);
    /// Answers the oldest read with all of its bytes.
    void on_read(ByteView bytes, Timestamp now);
    /// Answers the oldest read, which failed: SourceChanged, PathNotFound, PathUnreadable or
    /// DiskIo.
    void on_read_failed(ErrorCode code, Timestamp now);

    void set_paused(bool paused, Timestamp now) override;
    /// Counts what the requester reports.
    WebTotals totals() const override;

private:
    WebSend(WebPage &page, std::string own_name, const Identity &identity);

    Result<> take(StreamId stream, ByteView bytes, bool fin) override;
    Result<> take_reset(StreamId stream) override;
    void on_stream_closed(StreamId stream) override;
    void pump(Timestamp now) override;
    Timestamp next_pump() const override { return searching_ ? 0 : kNever; }
    bool whole() const override { return finished_; }

    void on(const SenderGreeted &greeted) { page_.on_greeted(greeted.name); }
    void on(const SenderAccepted &accepted);
    void on(const SenderProgress &progress) { progress_ = progress; }
    void on(const SenderEntryFailed &failed) { page_.on_entry_failed(failed.index, failed.code); }
    void on(const SenderPeerPaused &paused) { page_.on_peer_paused(paused.pause.has_value()); }
    void on(const SenderFinished &finished);
    void on(const Have &have) { claimed_.push_back(have); }
    void on(const Extents &extents);
    void on(const Rate &rate) { rate_.set_rate(rate.bytes_per_second); }
    // A page has no contacts, no other path, no holes and no changes to follow.
    template <class Other> void on(const Other &) {}

    WireId validator(std::uint64_t index) const;
    void handle_events();
    void send_messages();
    void send_manifest();
    bool keeps_up() const;
    bool wants_reads() const;
    void check_haves();
    void send_segments();
    bool begin_segment();
    void read_segment();
    void request_read(StreamId stream, const Piece &piece);
    void end_segment(StreamId stream);
    void drop(StreamId stream);

    /// Bytes that the page was asked for. A HAVE's check has no stream.
    struct Read {
        StreamId stream = -1;
        Piece piece;
    };
    /// A segment whose stream is not acknowledged.
    struct Segment {
        SegmentPlan plan;
        Bytes header;
        Blake3 data;
        std::uint64_t missing = 0;
        bool prefetched = false;
        /// The entry that could not be read: the stream is reset.
        std::optional<std::pair<std::uint64_t, ErrorCode>> failed;
    };

    WireId files_id_;
    std::shared_ptr<ManifestTable> manifest_;
    Sender sender_;
    RateLimiter rate_;
    ManifestEncoder encoder_;
    std::optional<StreamId> manifest_stream_;
    /// Entries sent, and all of them once they are offered.
    std::uint64_t listed_ = 0;
    std::optional<std::uint64_t> offered_;
    bool listed_all_ = false;
    std::unordered_map<StreamId, Segment> segments_;
    /// A planned segment that waits until the requester allows another stream.
    std::optional<SegmentPlan> planned_;
    bool planned_prefetch_ = false;
    /// The segment whose reads are being requested: its stream, and the next piece and offset.
    struct Cursor {
        StreamId stream = -1;
        std::size_t piece = 0;
        std::uint64_t done = 0;
    };
    std::optional<Cursor> cursor_;
    /// Unanswered reads, oldest first, and their bytes.
    std::deque<Read> reads_;
    std::uint64_t expected_ = 0;
    std::deque<Have> claimed_;
    std::optional<WebHaveCheck> check_;
    /// The check waits for bytes or for hashes.
    bool check_waits_ = false;
    bool searching_ = false;
    bool finished_ = false;
    SenderProgress progress_;
};

} // namespace thru

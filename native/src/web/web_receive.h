// One receive of a web page, which keeps the data.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "crypto/secret_key.h"
#include "transfer/receiver.h"
#include "web/web_segment.h"
#include "web/web_transfer.h"

namespace thru {

/// The receive as the sender knows it from earlier attempts.
struct WebAttempt {
    /// Random, and the same for all attempts.
    WireId receive{};
    /// Pairs in place of the code's words.
    std::optional<SecretKey> resume;
};

class WebReceive final : public WebTransfer {
public:
    /// `own_name` is shown to the sender. BadCode, or Internal if a library fails.
    static Result<std::unique_ptr<WebReceive>> open(std::string_view code, std::string own_name,
                                                    const WebAttempt &attempt, WebPage &page,
                                                    Timestamp now);
    ~WebReceive() override;

    /// Requests what is missing of everything offered. Only once, after the first offer. Files of
    /// `choices.have` must be offered files, and must not be unwanted or present.
    void accept(const ReceiverChoices &choices, Timestamp now);
    /// The page keeps the data of this segment.
    void saved(StreamId segment, Timestamp now);
    void set_paused(bool paused, Timestamp now) override;
    /// Includes bytes of segments whose hash is not known yet.
    WebTotals totals() const override;

private:
    WebReceive(WebPage &page, std::string own_name, const WireId &receive);

    Result<> take(StreamId stream, ByteView bytes, bool fin) override;
    Result<> take_reset(StreamId stream) override;
    void pump(Timestamp now) override;
    Timestamp next_pump() const override { return next_report_; }
    bool whole() const override;

    void on(const ReceiverGreeted &greeted) { page_.on_greeted(greeted.name); }
    void on(const Origin &origin);
    void on(const LeftOut &left_out) { page_.on_left_out(left_out); }
    void on(const Hole &hole) { page_.on_hole(hole); }
    void on(const Validator &validator) { page_.on_validator(validator); }
    void on(const ReceiverRestarted &restarted);
    void on(const ReceiverOutdated &outdated);
    void on(const ReceiverOffered &offered);
    void on(const ReceiverFilesComplete &complete);
    void on(const ReceiverEntryFailed &failed);
    void on(const ReceiverRemoved &removed);
    void on(const ReceiverPeerPaused &paused) { page_.on_peer_paused(paused.pause.has_value()); }
    void on(const ReceiverApprovalAwaited &) { page_.on_approval_awaited(); }
    void on(const ReceiverFinished &finished);
    void on(const ReceiverReleased &);
    // A page has no contacts and no other path.
    template <class Other> void on(const Other &) {}

    Result<> take_control(ByteView bytes, bool fin);
    Result<> take_segment(StreamId stream, ByteView bytes, bool fin);
    void end_segment(StreamId stream);
    void handle_events();
    void send_messages(Timestamp now);

    Receiver receiver_;
    std::optional<StreamId> manifest_stream_;
    std::unordered_map<StreamId, WebSegment> segments_;
    /// Verified segments that the page is saving: plan and bytes without credit.
    std::map<StreamId, std::pair<SegmentPlan, std::uint64_t>> saving_;
    /// Bytes of data that have arrived and are not saved.
    std::uint64_t unsaved_ = 0;
    std::uint64_t offered_end_ = 0;
    bool accepted_ = false;
    /// Entries of the sender's list when Done was sent; nullopt while something is missing.
    std::optional<std::uint64_t> done_;
    std::uint64_t reported_ = 0;
    Timestamp next_report_ = kNever;
};

} // namespace thru

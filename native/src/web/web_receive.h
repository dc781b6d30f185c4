// One receive of a web page: a WebLink and the transfer over it. The page carries payloads and
// datagrams, keeps the data, and calls every function with the present time. No threads.
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
#include "transfer/control_intake.h"
#include "transfer/receive_options.h"
#include "transfer/receiver.h"
#include "web/web_link.h"
#include "web/web_segment.h"

namespace thru {

/// The page behind a WebReceive. Calls must not call the receive back.
class WebPage {
public:
    virtual ~WebPage() = default;
    /// A payload for the signaling server.
    virtual void on_payload(std::string_view payload) = 0;
    /// The sender knows the code. `safety`: six digits for two people to compare.
    virtual void on_paired(std::string_view safety) = 0;
    /// `resume` opens the next attempt; earlier keys are useless now.
    virtual void on_connected(const SecretKey &resume) = 0;
    virtual void on_greeted(std::string_view sender) = 0;
    /// The sender is the one that proved this id in an earlier attempt, if any.
    virtual void on_origin(const OriginId &origin) = 0;
    /// Replaces what the sender left out before.
    virtual void on_left_out(const LeftOut &left_out) = 0;
    /// The sender's user must approve this receiver.
    virtual void on_approval_awaited() = 0;
    /// The next entry of the offer. Paths are canonical bytes of the sender's choice.
    virtual void on_entry(std::uint64_t index, const ManifestEntry &entry) = 0;
    /// Entries below `end` are offered. After the first offer was accepted, new ones are accepted
    /// automatically.
    virtual void on_offered(std::uint64_t end) = 0;
    virtual void on_removed(const IndexRange &range) = 0;
    /// Verified bytes of a file; runs of a file may come in any order.
    virtual void on_data(std::uint64_t index, std::uint64_t offset, ByteView bytes) = 0;
    /// These bytes of a file are zeros that don't travel.
    virtual void on_hole(const Hole &hole) = 0;
    /// The version of a file on the sender's disk, for the Have of a later attempt.
    virtual void on_validator(const Validator &validator) = 0;
    /// These bytes of an earlier attempt are useless.
    virtual void on_lost(std::uint64_t index, std::uint64_t offset, std::uint64_t length) = 0;
    /// All data of a segment was passed on: the page answers with `saved` once it keeps them.
    virtual void on_segment(StreamId segment) = 0;
    /// The page keeps every byte of this file. Bytes that never came are zero.
    virtual void on_file(std::uint64_t index, std::uint64_t bytes) = 0;
    virtual void on_entry_failed(std::uint64_t index, ErrorCode code) = 0;
    virtual void on_peer_paused(bool paused) = 0;
    /// The end: no call follows it. Without an error, everything requested is kept.
    virtual void on_over(const std::optional<Error> &error) = 0;
};

/// The receive as the sender knows it from earlier attempts.
struct WebAttempt {
    /// Random, and the same for all attempts.
    WireId receive{};
    /// Pairs in place of the code's words.
    std::optional<SecretKey> resume;
};

class WebReceive final : private WebLinkListener {
public:
    /// `own_name` is shown to the sender. BadCode, or Internal if a library fails.
    static Result<std::unique_ptr<WebReceive>> open(std::string_view code, std::string own_name,
                                                    const WebAttempt &attempt, WebPage &page,
                                                    Timestamp now);
    ~WebReceive() override;

    // See WebLink.

    void on_signal(std::string_view payload, Timestamp now);
    void on_stream_ready(Timestamp now);
    void on_bytes(ByteView bytes, Timestamp now);
    void on_stream_over(Timestamp now);
    Bytes take_output() { return link_->take_output(); }

    /// Requests what is missing of everything offered. Only once, after the first offer. Files of
    /// `choices.have` must be offered files, and must not be unwanted or present.
    void accept(const ReceiverChoices &choices, Timestamp now);
    void set_paused(bool paused, Timestamp now);
    /// The page keeps the data of this segment.
    void saved(StreamId segment, Timestamp now);
    /// Ends the receive, for example with DiskFull if the page can't keep data.
    void end(const Error &error, Timestamp now);
    /// Handles timers and sending: call this after all others, and at the deadline.
    void service(Timestamp now);
    Timestamp deadline() const;

    /// Includes bytes of segments whose hash is not known yet.
    ReceiverTotals totals() const;

private:
    WebReceive(WebPage &page, std::string own_name, const WireId &receive);

    void on_payload(std::string_view payload) override { page_.on_payload(payload); }
    void on_paired() override { page_.on_paired(link_->keys().safety); }
    void on_connected() override;
    void on_stream_data(StreamId stream, ByteView bytes, bool fin) override;
    void on_stream_reset(StreamId stream) override;

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

    Result<> take(StreamId stream, ByteView bytes, bool fin);
    Result<> take_control(ByteView bytes, bool fin);
    Result<> take_segment(StreamId stream, ByteView bytes, bool fin);
    void end_segment(StreamId stream);
    void consume(StreamId stream, std::uint64_t bytes);
    void handle_events();
    void send_messages(Timestamp now);
    void fail_with(Error error) { failure_ = failure_.value_or(std::move(error)); }
    void pump(Timestamp now);

    WebPage &page_;
    std::unique_ptr<WebLink> link_;
    Receiver receiver_;
    ControlIntake control_;
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
    Timestamp goodbye_by_ = kNever;
    bool over_ = false;
    /// The link has news that `service` has not handled.
    bool woken_ = false;
    std::optional<Error> failure_;
    /// The time of the call in progress.
    Timestamp now_ = 0;
    std::uint64_t reported_ = 0;
    Timestamp next_report_ = kNever;
};

} // namespace thru

// One transfer of a web page over a WebLink, in either direction. The page carries payloads and
// datagrams, and calls every function with the present time. No threads.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "transfer/control_intake.h"
#include "web/web_link.h"
#include "web/web_page.h"

namespace thru {

/// Sums of a transfer for its page.
struct WebTotals {
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
    std::uint64_t total_files = 0;
    std::uint64_t total_bytes = 0;
};

class WebTransfer : protected WebLinkListener {
public:
    ~WebTransfer() override = default;

    // See WebLink.

    void on_signal(std::string_view payload, Timestamp now);
    void on_stream_ready(Timestamp now);
    void on_bytes(ByteView bytes, Timestamp now, bool second = false);
    void on_stream_over(Timestamp now);
    Bytes take_output() { return link_->take_output(); }

    virtual void set_paused(bool paused, Timestamp now) = 0;
    /// Ends the transfer, for example with DiskFull if the page can't keep data.
    void end(const Error &error, Timestamp now);
    /// Handles timers and sending: call this after all others, and at the deadline.
    void service(Timestamp now);
    Timestamp deadline() const;
    virtual WebTotals totals() const = 0;

protected:
    explicit WebTransfer(WebPage &page) : page_(page) {}

    void on_payload(std::string_view payload) override { page_.on_payload(payload); }
    void on_paired() override { page_.on_paired(link_->keys().safety); }
    void on_candidate(std::string_view line) override { page_.on_candidate(line); }
    void on_connected() override;
    void on_stream_data(StreamId stream, ByteView bytes, bool fin) override;
    void on_stream_reset(StreamId stream) override;
    void on_stream_closed(StreamId) override {}

    virtual Result<> take(StreamId stream, ByteView bytes, bool fin) = 0;
    virtual Result<> take_reset(StreamId stream) = 0;
    /// Handles what has arrived and queues what follows from it; once per service.
    virtual void pump(Timestamp now) = 0;
    /// The time of the next pump.
    virtual Timestamp next_pump() const { return kNever; }
    /// True if the transfer achieved all it could.
    virtual bool whole() const = 0;

    void consume(StreamId stream, std::uint64_t bytes);
    void fail_with(Error error) { failure_ = failure_.value_or(std::move(error)); }
    bool over() const { return over_ || failure_ || link_->closed(); }

    WebPage &page_;
    std::unique_ptr<WebLink> link_;
    ControlIntake control_;
    /// Time at which a finished transfer closes the link; kNever before.
    Timestamp goodbye_by_ = kNever;
    /// The link has news that `service` has not handled.
    bool woken_ = false;
    /// The time of the call in progress.
    Timestamp now_ = 0;

private:
    bool over_ = false;
    std::optional<Error> failure_;
};

/// Limit for the other side's goodbye.
inline constexpr Timestamp kWebGoodbyeTime = 5 * kSecond;

} // namespace thru

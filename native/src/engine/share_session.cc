#include "engine/share_session.h"

#include <algorithm>

#include "engine/peer_link.h"
#include "engine/send_transfer.h"

namespace thru {

namespace {

/// Entries of one scan step: some milliseconds of a pool thread.
constexpr std::size_t kScanStep = 2000;
constexpr std::size_t kMostItems = 1000;
constexpr Timestamp kProgressInterval = 100 * kMillisecond;
/// For the receiver's goodbye after everything was said.
constexpr Timestamp kGoodbyeTimeout = 5 * kSecond;

/// Where every entry of a frozen manifest is on this machine.
struct SourceMap {
    std::shared_ptr<const ManifestTable> manifest;
    std::shared_ptr<const TreeScan> scan;
    std::vector<std::size_t> starts;
    std::vector<std::uint32_t> roots;

    std::string absolute_path(std::size_t index) const {
        const auto after = std::ranges::upper_bound(starts, index);
        const auto root = roots[static_cast<std::size_t>(after - starts.begin()) - 1];
        // The first component is the root's shown name, which may differ from its real one.
        const auto path = manifest->path(index);
        const auto slash = path.find('/');
        auto absolute = scan->root_path(root);
        if (slash != std::string_view::npos) {
            absolute += path.substr(slash);
        }
        return absolute;
    }
};

} // namespace

/// One receiver: its link, and the transfer once connected.
class ShareSession::Receiving final : private PeerLinkListener {
public:
    Receiving(ShareSession &share, std::string peer) : share_(share), peer_(std::move(peer)) {}

    Result<> begin(const PeerLink::Options &options, Timestamp now) {
        auto link = PeerLink::create(share_.context_, options, *this, now);
        if (!link) {
            return std::unexpected(link.error());
        }
        link_ = std::move(*link);
        return {};
    }

    void on_signal(std::string_view payload) { link_->on_signal(payload); }
    void on_manifest_complete() {
        if (transfer_) {
            transfer_->on_manifest_complete(share_.files_);
        }
    }
    void close(const Error &error, Timestamp now) {
        link_->close(finished_ ? std::nullopt : std::optional(error), now);
    }
    /// False when this receiver is over and was told of.
    bool service(Timestamp now);
    Timestamp deadline() const {
        return std::min({link_->deadline(), next_progress_, goodbye_by_});
    }

private:
    void on_payload(std::string payload) override {
        share_.context_.events.push(
            SignalEvent{share_.options_.session, peer_, std::move(payload)});
    }
    void on_paired() override {
        share_.context_.events.push(PairingDoneEvent{share_.options_.session, peer_});
    }
    void on_connected() override {
        transfer_ = std::make_unique<SendTransfer>(share_.context_, link_->connection(),
                                                   share_.manifest_, share_.options_.name);
        on_files_known();
        share_.context_.events.push(
            ConnectedEvent{share_.options_.session, peer_, link_->peer_name(), link_->route()});
    }
    void on_files_known() {
        if (share_.files_) {
            transfer_->on_manifest_complete(share_.files_);
        }
    }
    void on_stream_data(StreamId stream, ByteView bytes, bool) override {
        if (transfer_ && !failure_) {
            if (auto handled = transfer_->on_stream_data(stream, bytes); !handled) {
                failure_ = handled.error();
            }
        }
    }
    // The receiver's only stream to here is the control stream, which ends with the connection.
    void on_stream_reset(StreamId) override {}
    void on_stream_closed(StreamId stream) override {
        if (transfer_) {
            transfer_->on_stream_closed(stream);
        }
    }
    void on_event(const SenderEvent &event, Timestamp now);

    ShareSession &share_;
    std::string peer_;
    std::unique_ptr<PeerLink> link_;
    std::unique_ptr<SendTransfer> transfer_;
    std::optional<Error> failure_;
    std::optional<SenderProgress> progress_;
    std::size_t problems_ = 0;
    Timestamp next_progress_ = kNever;
    Timestamp goodbye_by_ = kNever;
    bool finished_ = false;
};

void ShareSession::Receiving::on_event(const SenderEvent &event, Timestamp now) {
    auto &events = share_.context_.events;
    const auto session = share_.options_.session;
    if (std::holds_alternative<SenderAccepted>(event)) {
        events.push(AcceptedEvent{session, peer_});
    } else if (const auto *progress = std::get_if<SenderProgress>(&event)) {
        progress_ = *progress;
        next_progress_ = std::min(next_progress_, now + kProgressInterval);
    } else if (const auto *failed = std::get_if<SenderEntryFailed>(&event)) {
        if (problems_++ < kMaxProblemsTold) {
            events.push(ItemProblemEvent{session, peer_,
                                         std::string(share_.manifest_->path(failed->index)),
                                         Error{failed->code, 0, {}}});
        }
    } else if (const auto *finished = std::get_if<SenderFinished>(&event)) {
        finished_ = true;
        goodbye_by_ = now + kGoodbyeTimeout;
        const auto &totals = finished->totals;
        events.push(FinishedEvent{session, peer_, totals.files, totals.bytes, totals.problems,
                                  totals.renamed});
    }
}

bool ShareSession::Receiving::service(Timestamp now) {
    if (transfer_ && !failure_) {
        for (const auto &event : transfer_->take_events()) {
            on_event(event, now);
        }
        transfer_->pump();
    }
    if (progress_ && next_progress_ <= now && !finished_) {
        share_.context_.events.push(ProgressEvent{share_.options_.session, peer_, progress_->files,
                                                  progress_->bytes, share_.manifest_->files(),
                                                  share_.manifest_->bytes()});
        progress_.reset();
        next_progress_ = kNever;
    }
    if (failure_) {
        link_->close(failure_, now);
    } else if (goodbye_by_ <= now) {
        link_->close(std::nullopt, now);
    }
    link_->service(now);
    if (!link_->closed()) {
        return true;
    }
    if (!finished_) {
        const auto error = link_->closed()->error.value_or(
            Error{ErrorCode::PeerGone, 0, "the receiver closed the connection early"});
        if (error.code == ErrorCode::CodeMismatch) {
            ++share_.wrong_guesses_;
        }
        share_.context_.events.push(FailedEvent{share_.options_.session, peer_, error});
    }
    return false;
}

ShareSession::ShareSession(EngineContext &context, OpenShare command, Identity identity)
    : context_(context), options_(std::move(command)),
      identity_(std::make_shared<const Identity>(std::move(identity))),
      scan_(std::make_shared<TreeScan>(options_.paths)), scan_strand_(context.disk.make_strand()),
      manifest_(std::make_shared<ManifestTable>()), alive_(std::make_shared<bool>(true)) {}

ShareSession::~ShareSession() = default;

Result<std::unique_ptr<ShareSession>> ShareSession::open(EngineContext &context,
                                                         OpenShare command) {
    auto identity = Identity::create();
    if (!identity) {
        return std::unexpected(identity.error());
    }
    std::unique_ptr<ShareSession> share(
        new ShareSession(context, std::move(command), std::move(*identity)));
    share->scan_step();
    return share;
}

void ShareSession::scan_step() {
    auto batch = std::make_shared<ScanBatch>();
    context_.disk.post(scan_strand_,
                       {.work = [scan = scan_, batch] { *batch = scan->step(kScanStep); },
                        .completion =
                            [this, batch, alive = std::weak_ptr(alive_)] {
                                if (!alive.expired()) {
                                    on_scanned(std::move(*batch));
                                }
                            }});
}

void ShareSession::on_scanned(ScanBatch batch) {
    for (const auto &problem : batch.problems) {
        if (problems_++ < kMaxProblemsTold) {
            context_.events.push(
                ItemProblemEvent{options_.session, {}, problem.path, problem.error});
        }
    }
    bool full = false;
    for (const auto &scanned : batch.entries) {
        if (roots_.empty() || roots_.back() != scanned.root) {
            root_starts_.push_back(manifest_->size());
            roots_.push_back(scanned.root);
        }
        if (auto added = manifest_->add(scanned.entry); !added) {
            context_.events.push(
                ItemProblemEvent{options_.session, {}, scanned.entry.path, added.error()});
            full = true;
            break;
        }
    }
    const bool complete = batch.complete || full;
    context_.events.push(ScanEvent{options_.session, manifest_->files(), manifest_->folders(),
                                   manifest_->bytes(), complete});
    if (complete) {
        on_scan_complete();
    } else {
        scan_step();
    }
}

void ShareSession::on_scan_complete() {
    if (manifest_->size() == 0) {
        context_.events.push(
            FailedEvent{options_.session,
                        {},
                        Error{ErrorCode::NothingToSend, 0, "no file or folder could be read"}});
        return;
    }
    context_.events.push(ScanItemsEvent{options_.session, manifest_->top_items(kMostItems)});
    auto sources =
        std::make_shared<const SourceMap>(SourceMap{manifest_, scan_, root_starts_, roots_});
    files_ = std::make_shared<const SourceFiles>(
        manifest_, [sources](std::size_t index) { return sources->absolute_path(index); });
    for (const auto &[peer, receiving] : receivers_) {
        receiving->on_manifest_complete();
    }
}

void ShareSession::add_peer(const std::string &peer, Timestamp now) {
    const auto refuse = [&](Error error) {
        context_.events.push(FailedEvent{options_.session, peer, std::move(error)});
    };
    if (!code_) {
        refuse(Error{ErrorCode::BadArgument, 0, "the share has no code yet"});
        return;
    }
    if (wrong_guesses_ >= kMaxWrongGuesses) {
        refuse(Error{ErrorCode::CodeMismatch, 0, "too many wrong codes: share again"});
        return;
    }
    if (receivers_.size() >= kMaxReceivers) {
        refuse(Error{ErrorCode::TooManyReceivers, 0, {}});
        return;
    }
    auto receiving = std::make_unique<Receiving>(*this, peer);
    const PeerLink::Options options{.role = Pairing::Role::Sender,
                                    .code = *code_,
                                    .identity = identity_,
                                    .name = options_.name,
                                    .ice = options_.ice};
    if (auto begun = receiving->begin(options, now); !begun) {
        refuse(begun.error());
        return;
    }
    receivers_.insert_or_assign(peer, std::move(receiving));
}

void ShareSession::drop_peer(const std::string &peer, Timestamp now) {
    if (const auto found = receivers_.find(peer); found != receivers_.end()) {
        found->second->close(Error{ErrorCode::Stopped, 0, "ended by the sender"}, now);
    }
}

void ShareSession::on_signal(const std::string &peer, std::string_view payload) {
    if (const auto found = receivers_.find(peer); found != receivers_.end()) {
        found->second->on_signal(payload);
    }
}

void ShareSession::service(Timestamp now) {
    std::erase_if(receivers_, [&](const auto &each) { return !each.second->service(now); });
}

Timestamp ShareSession::deadline() const {
    auto earliest = kNever;
    for (const auto &[peer, receiving] : receivers_) {
        earliest = std::min(earliest, receiving->deadline());
    }
    return earliest;
}

void ShareSession::end(const Error &error, Timestamp now) {
    for (const auto &[peer, receiving] : receivers_) {
        receiving->close(error, now);
    }
}

} // namespace thru

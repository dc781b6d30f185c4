// The receiving end of a transfer over a simulated link, with a real folder: a ReceiveTransfer
// whose disk the test can hold.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/context.h"
#include "engine/held_disk.h"
#include "engine/receive/receive_transfer.h"
#include "quic/connection.h"

namespace thru::test {

class FolderEnd final : public ConnectionListener {
public:
    explicit FolderEnd(std::filesystem::path target, ReceiveOptions options = {});
    /// Uses a disk that runs one job of each lane at a time; the target exists.
    static std::unique_ptr<FolderEnd> with_lanes(const std::filesystem::path &target);
    ~FolderEnd() override;

    /// Accepts the first offer in this way instead of into the folder. Call it before the offer.
    void accept_by(std::function<void(ReceiveTransfer &)> accept) { accept_ = std::move(accept); }
    /// Starts a new transfer over this connection.
    void attach(Connection &connection);
    /// Delivers incoming data, runs disk jobs unless they are held, and sends answers.
    void pump(Timestamp now);

    void hold_disk() { disk_->hold(); }
    /// Makes nothing durable until release_disk(); with lanes only.
    void hold_syncs() { disk_->hold(DiskLane::Commit); }
    void release_disk() { disk_->release(); }
    /// Gives the transfer a turn of the loop between two completions of the disk.
    void take_turns_between_completions() { turns_between_ = true; }
    /// Runs all posted jobs, and the jobs that their completions post.
    void finish_disk();
    /// Ends the transfer as a broken connection would.
    void drop_transfer() { transfer_.reset(); }

    ReceiveTransfer &transfer() { return *transfer_; }
    EngineContext &context() { return context_; }
    const std::optional<Error> &failure() const { return failure_; }
    const std::optional<Done> &finished() const { return finished_; }
    std::size_t offers() const { return offers_; }
    /// The result of the first preparation.
    const std::optional<ReceiveAccepted> &accepted() const { return accepted_; }
    const std::vector<EntryProblem> &problems() const { return problems_; }

    void on_established() override { connection_->open_bidirectional(); }
    void on_stream_data(StreamId stream, ByteView bytes, bool fin) override;
    void on_stream_reset(StreamId stream) override { transfer_->on_stream_reset(stream); }
    void on_stream_closed(StreamId) override {}

private:
    FolderEnd(std::filesystem::path target, ReceiveOptions options, std::unique_ptr<HeldDisk> disk);
    void turn();

    std::filesystem::path target_;
    ReceiveOptions options_;
    EventLoop loop_;
    EventBuffer events_{[] {}};
    bool turns_between_ = false;
    Timestamp now_ = 0;
    std::unique_ptr<HeldDisk> disk_;
    EngineContext context_;
    Scheduler::Task task_{context_.scheduler, [](Timestamp) { return kNever; }};
    Connection *connection_ = nullptr;
    bool accepting_ = false;
    std::function<void(ReceiveTransfer &)> accept_ = [this](ReceiveTransfer &transfer) {
        transfer.accept(target_.string(), options_, {}, std::nullopt);
    };
    std::unique_ptr<ReceiveTransfer> transfer_;
    std::optional<Error> failure_;
    std::optional<Done> finished_;
    std::optional<ReceiveAccepted> accepted_;
    std::vector<EntryProblem> problems_;
    std::size_t offers_ = 0;
};

} // namespace thru::test

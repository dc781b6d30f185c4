// The sending end of a transfer over a simulated link, with real files: a SendTransfer whose disk
// the test can hold.
#pragma once

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "engine/context.h"
#include "engine/held_disk.h"
#include "engine/share/send_transfer.h"
#include "quic/connection.h"

namespace thru::test {

class SourceEnd final : public ConnectionListener {
public:
    explicit SourceEnd(const std::string &path) { EXPECT_TRUE(contents_.add({{.path = path}})); }
    ~SourceEnd() override {
        release_disk();
        transfer_.reset();
    }

    void attach(Connection &connection) {
        transfer_ = std::make_unique<SendTransfer>(
            context_, task_, connection, contents_,
            SendTransfer::Introduction{.name = "Mina", .share = WireId{1}, .origin = {}});
    }
    void pump() {
        disk_.finish();
        if (established_) {
            ASSERT_TRUE(transfer_->pump());
            transfer_->take_events();
        }
    }
    void hold_disk() { disk_.hold(); }
    void release_disk() { disk_.release(); }
    SendTransfer &transfer() { return *transfer_; }
    EngineContext &context() { return context_; }

    void on_established() override { established_ = true; }
    void on_stream_data(StreamId stream, ByteView bytes, bool fin) override {
        ASSERT_TRUE(transfer_->on_stream_data(stream, bytes, fin));
    }
    void on_stream_reset(StreamId) override {}
    void on_stream_closed(StreamId stream) override { transfer_->on_stream_closed(stream); }

private:
    bool established_ = false;
    EventLoop loop_;
    EventBuffer events_{[] {}};
    HeldDisk disk_;
    EngineContext context_{.loop = loop_,
                           .disk = disk_.pool(),
                           .events = events_,
                           .buffers = BufferPool::create(),
                           .upload = {},
                           .suspending = {},
                           .contacts = {}};
    Scheduler::Task task_{context_.scheduler, [](Timestamp) { return kNever; }};
    std::unique_ptr<SendTransfer> transfer_;
    ShareContents contents_{context_,
                            1,
                            {},
                            {.on_checkpoint =
                                 [this](const ShareContents &) {
                                     if (transfer_) {
                                         transfer_->on_checkpoint();
                                     }
                                 },
                             .on_removed = [](const ShareContents &, const IndexRanges &) {},
                             .on_grown = [](const ShareContents &) {},
                             .on_nothing = [](const ShareContents &) {},
                             .on_stream_grown = [](std::uint64_t, bool) {},
                             .on_stream_broken = [] {}}};
};

} // namespace thru::test

// A receiving engine and a sender that floods it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/hostile/hostile_messages.h"
#include "engine/hostile/hostile_sender.h"
#include "engine/memory_watch.h"

namespace thru {

class SenderFlood : public ::testing::Test {
protected:
    explicit SenderFlood(Transport of_receiver = {}) : evil([](const Event &) {}, of_receiver) {}

    void offer(const std::vector<ManifestEntry> &entries) {
        evil.offer(entries);
        evil.receiver.wait_for<OfferEvent>();
    }
    void accept() {
        evil.accept();
        evil.wait_for<Request>();
    }
    /// Expects the receiving engine to answer a command, and everything before it.
    void expect_answering() {
        const auto peer = "heartbeat " + std::to_string(++heartbeats_);
        evil.receiver.post(OpenReceive{.session = HostileSenderTest::kReceive, .peer = peer});
        evil.receiver.wait_for<FailedEvent>(
            [&](const FailedEvent &event) { return event.peer == peer; });
    }
    std::size_t failures() {
        return evil.receiver.count<FailedEvent>(
            [](const FailedEvent &event) { return !event.peer.starts_with("heartbeat"); });
    }
    void expect_dropped(ErrorCode code = ErrorCode::PeerProtocol) {
        const auto failed = evil.receiver.wait_for<FailedEvent>(
            [](const FailedEvent &event) { return !event.peer.starts_with("heartbeat"); });
        EXPECT_EQ(failed.error.code, code) << failed.error.detail;
        EXPECT_EQ(evil.wait_for_end(), code);
        expect_answering();
    }

    HostileSenderTest evil;

private:
    std::size_t heartbeats_ = 0;
};

} // namespace thru

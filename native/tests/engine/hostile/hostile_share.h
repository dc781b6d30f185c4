// A share with hostile receivers, and honest ones that follow them.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "engine/hostile/hostile_receiver.h"

namespace thru {

class HostileShare : public ::testing::Test {
public:
    static constexpr std::uint64_t kFileBytes = 100'000;

    EnginePair &pair() { return pair_; }

    void share() { pair_.share({pair_.source().string()}); }
    /// Shares a folder with two files of kFileBytes.
    void share_files() {
        pair_.write_source("a.bin", kFileBytes);
        pair_.write_source("b.bin", kFileBytes, 2);
        share();
    }
    /// Number of entries in the share; the first is the folder, the last a file.
    std::uint64_t entries() {
        const auto scan =
            pair_.sender.wait_for<ScanEvent>([](const ScanEvent &event) { return event.complete; });
        return scan.files + scan.folders;
    }

    std::unique_ptr<HostileReceiver> hostile(HostileReceiver::Options options = {}) {
        let_a_run_pass();
        return std::make_unique<HostileReceiver>(pair_, "eve" + std::to_string(++hostile_),
                                                 std::move(options));
    }
    /// Waits for the offer.
    static void greet(HostileReceiver &evil) {
        evil.control(Hello{.name = "Eve"});
        evil.wait_for<Offer>();
    }
    /// The share's error when it ends with this receiver.
    ErrorCode failure_of(const HostileReceiver &evil) {
        return pair_.sender
            .wait_for<FailedEvent>(
                [&](const FailedEvent &event) { return event.peer == evil.peer(); })
            .error.code;
    }
    bool failed(const HostileReceiver &evil) {
        return pair_.sender.count<FailedEvent>(
                   [&](const FailedEvent &event) { return event.peer == evil.peer(); }) > 0;
    }

    /// An honest receiver gets everything it can into an empty folder.
    FinishedEvent receive_honestly() {
        const auto session = ++honest_;
        let_a_run_pass();
        std::filesystem::remove_all(pair_.target());
        pair_.join(session, "honest" + std::to_string(session));
        pair_.receiver.wait_for<OfferEvent>(
            [=](const OfferEvent &event) { return event.session == session; });
        pair_.accept({}, {}, session);
        return pair_.receiver.wait_for<FinishedEvent>(
            [=](const FinishedEvent &event) { return event.session == session; });
    }
    void expect_still_serving() {
        EXPECT_EQ(receive_honestly().problems, 0U);
        EXPECT_TRUE(pair_.same_trees(pair_.source()));
    }

private:
    /// A share answers one receiver with words every two seconds; here all join immediately.
    void let_a_run_pass() { pair_.sender.advance(2 * kSecond); }

    EnginePair pair_;
    std::size_t hostile_ = 0;
    SessionNumber honest_ = 100;
};

} // namespace thru

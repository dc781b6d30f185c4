// Receivers that disturb each other's shared reads: data read once for all is right, and reaches
// only receivers that want it.
#include <filesystem>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "engine/hostile/hostile_share.h"
#include "fs/disk.h"

namespace thru {
namespace {

class SharedReads : public HostileShare {
protected:
    /// Selects this entry alone, and waits until the share knows.
    void request_only(HostileReceiver &receiver, std::uint64_t index) {
        for (std::uint64_t other = 1; other < entries(); ++other) {
            if (other != index) {
                receiver.control(
                    Skip{.why = Skip::Why::Unwanted, .ranges = {{.first = other, .count = 1}}});
            }
        }
        receiver.control(Request{entries()});
        pair().sender.wait_for<AcceptedEvent>(
            [&](const AcceptedEvent &event) { return event.peer == receiver.peer(); });
    }
    /// Changes a file, so that reopening it fails.
    void change(const std::string &name) { test::make_old(pair().source() / name); }
};

TEST_F(SharedReads, WhoAsksForBytesAgainIsNotSentWhatIsKeptForOthers) {
    share_files();
    const auto waiting = hostile();
    const auto asking = hostile();
    greet(*waiting);
    greet(*asking);
    // Holds data of another file forever: nothing is kept for a receiver that is alone.
    waiting->set_deaf(true);
    request_only(*waiting, 2);
    request_only(*asking, 1);
    asking->wait_for_bytes(kFileBytes);
    change("a.bin");
    asking->control(Resend{.index = 1, .offset = 0, .length = kFileBytes});
    EXPECT_EQ(asking->wait_for<EntryFailed>().code, ErrorCode::SourceChanged);
}

TEST_F(SharedReads, ThoseThatAcknowledgeNothingHoldNobodyUp) {
    constexpr std::size_t kDeaf = 6;
    pair().write_source("a.bin", 30'000'000);
    share();
    std::vector<std::unique_ptr<HostileReceiver>> deaf;
    for (std::size_t index = 0; index < kDeaf; ++index) {
        greet(*deaf.emplace_back(hostile()));
    }
    for (const auto &each : deaf) {
        each->set_deaf(true);
        request_only(*each, 1);
    }
    expect_still_serving();
}

TEST_F(SharedReads, TheShareCanEndWhileSeveralWaitForTheDisk) {
    pair().write_source("a.bin", 100'000'000);
    share();
    std::vector<std::unique_ptr<HostileReceiver>> receivers;
    for (int index = 0; index < 3; ++index) {
        greet(*receivers.emplace_back(hostile()));
    }
    for (const auto &each : receivers) {
        each->allow_streams(100);
        request_only(*each, 1);
    }
    receivers.front()->wait_for_bytes(2'000'000);
    pair().sender.post(EndSession{EnginePair::kShare});
    for (const auto &each : receivers) {
        EXPECT_EQ(each->wait_for_end().code, ErrorCode::Stopped);
    }
}

} // namespace
} // namespace thru

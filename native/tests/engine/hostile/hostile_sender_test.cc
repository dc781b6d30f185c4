// A hostile sender ends the receive and changes nothing. Refusals of the state machine and the
// decoders have their own tests.
#include <filesystem>

#include <gtest/gtest.h>

#include "engine/hostile/hostile_messages.h"
#include "engine/hostile/hostile_sender.h"

namespace thru {
namespace {

TEST(HostileSenderTest, ABadManifestEndsTheReceiveWithoutATrace) { // MAN-08
    HostileSenderTest evil;
    evil.offer({file("a.txt"), file("a.txt")});
    evil.receiver.wait_for<OfferEvent>();
    evil.accept();
    EXPECT_EQ(evil.receiver.wait_for<FailedEvent>().error.code, ErrorCode::BadManifest);
    evil.receiver.close();
    EXPECT_TRUE(evil.nothing_written());
}

TEST(HostileSenderTest, AListThatCannotBeDecodedEndsTheConnection) { // PATH-01
    HostileSenderTest evil;
    Bytes bytes;
    ManifestEncoder{}.add(file("../x"), bytes);
    evil.manifest_bytes(std::move(bytes));
    EXPECT_EQ(evil.receiver.wait_for<FailedEvent>().error.code, ErrorCode::PeerProtocol);
    EXPECT_EQ(evil.receiver.count<OfferEvent>(), 0U);
}

/// A receive that has accepted these files.
std::unique_ptr<HostileSenderTest> accepted(const std::vector<ManifestEntry> &files) {
    auto evil = std::make_unique<HostileSenderTest>();
    evil->offer(files);
    evil->receiver.wait_for<OfferEvent>();
    evil->accept();
    evil->wait_for<Request>();
    return evil;
}

TEST(HostileSenderTest, DataBeyondItsFileEndsTheReceive) { // WIRE-06
    const auto evil = accepted({file("a.txt")});
    evil->segment({{.index = 0, .offset = 2, .length = 4}}, "evil");
    EXPECT_EQ(evil->receiver.wait_for<FailedEvent>().error.code, ErrorCode::PeerProtocol);
    EXPECT_FALSE(std::filesystem::exists(evil->target() / "a.txt"));
}

TEST(HostileSenderTest, AWrongHashIsResentOnceAndThenTheFileFails) { // WIRE-09
    const auto evil = accepted({file("a.txt"), file("b.txt")});
    evil->segment({{.index = 1, .offset = 0, .length = 4}}, "good");
    evil->segment({{.index = 0, .offset = 0, .length = 4}}, "evil", true);
    EXPECT_EQ(evil->wait_for<Resend>().index, 0U);
    evil->segment({{.index = 0, .offset = 0, .length = 4}}, "evil", true);
    const auto failed = evil->wait_for<EntryFailed>();
    EXPECT_EQ(failed.index, 0U);
    EXPECT_EQ(failed.code, ErrorCode::HashMismatch);
    EXPECT_EQ(evil->wait_for<Done>().files, 1U);
    evil->control(Bye{});
    EXPECT_EQ(evil->receiver.wait_for<FinishedEvent>().problems, 1U);
    EXPECT_FALSE(std::filesystem::exists(evil->target() / "a.txt"));
    EXPECT_TRUE(std::filesystem::exists(evil->target() / "b.txt"));
}

/// A receive that has received all of one file and reported it.
std::unique_ptr<HostileSenderTest> done() {
    auto evil = accepted({file("a.txt")});
    evil->segment({{.index = 0, .offset = 0, .length = 4}}, "good");
    evil->wait_for<Done>();
    return evil;
}

TEST(HostileSenderTest, EntriesAddedWhileDoneIsOnItsWayAreReceivedHoweverLongItTakes) {
    const auto evil = done();
    evil->grow({file("b.txt")});
    evil->wait_for<Request>([](const Request &select) { return select.end == 2; });
    evil->receiver.advance(6 * kSecond);
    evil->segment({{.index = 1, .offset = 0, .length = 4}}, "good");
    evil->wait_for<Done>([](const Done &totals) { return totals.entries == 2; });
    EXPECT_EQ(evil->receiver.count<FinishedEvent>(), 0U);
    evil->control(Bye{});
    EXPECT_EQ(evil->receiver.wait_for<FinishedEvent>().files, 2U);
    evil->receiver.advance(60 * kSecond);
    evil->wait_for_end();
    EXPECT_EQ(evil->receiver.count<FinishedEvent>(), 1U);
    EXPECT_EQ(evil->receiver.count<FailedEvent>(), 0U);
}

TEST(HostileSenderTest, AReceiveFromAPageEndsWithoutWaitingForAContact) {
    const auto ignore = [](const Event &) {};
    const auto prepare = [](WatchedEngine &) {};
    HostileSenderTest page(ignore, {}, false, prepare, Hello{.name = "Eve", .browser = true});
    EXPECT_TRUE(page.receiver.wait_for<GreetedEvent>().browser);
    page.control(ContactRequest{});
    page.offer({file("a.txt")});
    page.receiver.wait_for<OfferEvent>();
    page.accept();
    page.wait_for<Request>();
    page.segment({{.index = 0, .offset = 0, .length = 4}}, "good");
    page.wait_for<Done>();
    page.control(Bye{});
    page.receiver.wait_for<FinishedEvent>();
    page.wait_for_end();
    EXPECT_EQ(page.receiver.count<ContactRequestedEvent>(), 0U);
}

TEST(HostileSenderTest, AProtocolErrorWhileAddedEntriesArriveFailsTheReceive) {
    const auto evil = done();
    evil->grow({file("b.txt")});
    evil->wait_for<Request>([](const Request &select) { return select.end == 2; });
    evil->control(Hello{});
    EXPECT_EQ(evil->receiver.wait_for<FailedEvent>().error.code, ErrorCode::PeerProtocol);
    EXPECT_EQ(evil->receiver.count<FinishedEvent>(), 0U);
}

TEST(HostileSenderTest, AProtocolErrorAfterDoneEndsItAtOnce) {
    const auto evil = done();
    evil->control(Hello{});
    EXPECT_EQ(evil->wait_for_end(), ErrorCode::PeerProtocol);
    EXPECT_EQ(evil->receiver.wait_for<FinishedEvent>().files, 1U);
    EXPECT_EQ(evil->receiver.count<FailedEvent>(), 0U);
}

TEST(HostileSenderTest, AFinishedReceiveEndsWithoutBye) {
    const auto evil = done();
    evil->receiver.advance(6 * kSecond);
    EXPECT_EQ(evil->receiver.wait_for<FinishedEvent>().files, 1U);
}

} // namespace
} // namespace thru

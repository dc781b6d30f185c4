// A hostile receiver gets only what was offered, and the share still serves an honest one.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "engine/hostile/hostile_messages.h"
#include "engine/hostile/hostile_share.h"
#include "engine/stall_watch.h"

namespace thru {
namespace {

using HostileReceiverTest = HostileShare;

/// The last step of the receiver before its hostile message.
enum class After : std::uint8_t { Binding, Offer, Request };

/// Sends each message in its own connection.
void expect_refused(HostileShare &share, After after, const std::vector<ControlMessage> &messages,
                    ErrorCode code = ErrorCode::PeerProtocol) {
    for (const auto &message : messages) {
        SCOPED_TRACE("message of type " + std::to_string(message.index() + 1));
        const auto evil = share.hostile();
        if (after != After::Binding) {
            share.greet(*evil);
        }
        if (after == After::Request) {
            evil->control(Request{share.entries()});
        }
        evil->control(message);
        EXPECT_EQ(share.failure_of(*evil), code);
        EXPECT_EQ(evil->wait_for_end().code, code);
    }
}

TEST_F(HostileReceiverTest, CorrectMessagesAreAccepted) {
    share_files();
    const auto evil = hostile();
    greet(*evil);
    const auto last = entries() - 1;
    const std::vector<ControlMessage> right = {
        Prioritize{range(0, entries())},
        Skip{.why = Skip::Why::Unwanted, .ranges = range(last)},
        Skip{.why = Skip::Why::Wanted, .ranges = range(0, entries())},
        EntryFailed{.index = 0, .code = ErrorCode::Internal},
        Pause{},
        Have{.index = last, .offset = kFileBytes, .hash_begin = 0, .hash = {}, .validator = {}},
        Request{entries()},
        Progress{.files = 1, .bytes = 10},
        Resend{.index = last, .offset = kFileBytes - 1, .length = 1},
        Rate{1'000'000'000},
        Resume{},
    };
    for (const auto &message : right) {
        evil->control(message);
    }
    EXPECT_EQ(evil->wait_for<Restart>().index, last) << "a beginning that is not the file's";
    evil->wait_for_bytes(2 * kFileBytes);
    evil->control(Done{.entries = entries(), .files = 2, .bytes = 2 * kFileBytes});
    evil->wait_for<Bye>();
    EXPECT_FALSE(failed(*evil));
    expect_still_serving();
}

TEST_F(HostileReceiverTest, MaySkipAFileThatIsBeingCompared) {
    share_files();
    const auto evil = hostile();
    greet(*evil);
    const auto last = entries() - 1;
    for (const auto index : {last - 1, last}) {
        evil->control(Have{.index = index,
                           .offset = kFileBytes,
                           .hash_begin = kFileBytes,
                           .validator = kBasisValidator});
    }
    evil->control(Request{entries()});
    evil->wait_for<Compare>([&](const Compare &compare) { return compare.index == last - 1; });
    evil->control(Extents{.index = last - 1, .runs = {{.length = 1, .hash = {1}}}});
    // The sender requests the next hashes while it compares these.
    evil->wait_for<Compare>([](const Compare &compare) { return compare.offset == 1; });
    evil->control(Skip{.why = Skip::Why::Unwanted, .ranges = range(last - 1)});
    evil->control(Extents{.index = last - 1, .offset = 1});
    evil->wait_for<Compare>([&](const Compare &compare) { return compare.index == last; });
    evil->control(Extents{.index = last});
    EXPECT_EQ(evil->wait_for<Restart>().index, last);
    EXPECT_FALSE(failed(*evil));
    expect_still_serving();
}

TEST_F(HostileReceiverTest, CannotSendMessagesOutOfTurn) {
    share_files();
    expect_refused(*this, After::Binding,
                   {Request{1}, ContactRequest{}, FindPath{.search = 1, .candidates = {}}});
    expect_refused(*this, After::Binding, {Hello{.version = 2, .name = "Eve"}},
                   ErrorCode::PeerVersion);
    expect_refused(*this, After::Offer, {Progress{}});
    expect_refused(*this, After::Request, {Bye{}});
    expect_still_serving();
}

TEST_F(HostileReceiverTest, GetsCandidatesInASearchForAPathAndMovesNothingByThat) {
    share_files();
    expect_refused(*this, After::Offer,
                   {FindPath{}, FindPath{.search = 1, .candidates = {"candidate:"}}});
    const auto evil = hostile();
    greet(*evil);
    const std::string elsewhere = "candidate:1 1 UDP 2015363327 127.0.0.1 9999 typ host";
    for (std::uint16_t search = 1; search < 200; ++search) {
        evil->control(FindPath{.search = search, .candidates = {elsewhere}});
    }
    const auto answer = evil->wait_for<FindPath>();
    EXPECT_EQ(answer.search, 1) << "the others came too soon after it";
    evil->control(Request{entries()});
    evil->wait_for_bytes(2 * kFileBytes);
    EXPECT_FALSE(failed(*evil));
    expect_still_serving();
}

TEST_F(HostileReceiverTest, CannotShowAKeyThatIsNotItsOwn) {
    share_files();
    const auto seen_elsewhere = *hostile()->contact_exchange().request(SigningKey::create());
    const auto evil = hostile();
    greet(*evil);
    evil->control(seen_elsewhere);
    EXPECT_EQ(failure_of(*evil), ErrorCode::PeerProtocol);
    EXPECT_EQ(pair().sender.count<ContactRequestedEvent>(), 0U);
    expect_still_serving();
}

TEST_F(HostileReceiverTest, MayOpenNoStreamBesidesItsControlStream) {
    share_files();
    const auto evil = hostile();
    EXPECT_FALSE(evil->may_open_stream());
    greet(*evil);
    EXPECT_FALSE(evil->may_open_stream());
    expect_still_serving();
}

TEST_F(HostileReceiverTest, WithAWrongBindLearnsNothing) {
    share_files();
    const auto other = hostile()->wait_for_connection();
    const auto bit_changed = [](Bytes right) {
        right.back() ^= 1;
        return right;
    };
    const auto of_another_connection = [&](const Bytes &) { return other; };
    const auto messages_at_once = [](const Bytes &) {
        Bytes bytes;
        encode(Hello{.name = "Eve"}, bytes);
        encode(Request{3}, bytes);
        encode(Done{}, bytes);
        return bytes;
    };
    for (const std::function<Bytes(Bytes)> &binding : std::vector<std::function<Bytes(Bytes)>>{
             bit_changed, of_another_connection, messages_at_once}) {
        const auto evil = hostile({.binding = binding});
        EXPECT_EQ(failure_of(*evil), ErrorCode::PeerIdentity);
        EXPECT_EQ(evil->wait_for_end().code, ErrorCode::PeerIdentity);
        EXPECT_EQ(evil->bytes(), 0U);
        EXPECT_EQ(pair().sender.count<ConnectedEvent>(
                      [&](const ConnectedEvent &event) { return event.peer == evil->peer(); }),
                  0U);
    }
    EXPECT_EQ(pair().sender.count<GuessesEvent>(), 0U) << "the words were right";
    expect_still_serving();
}

TEST_F(HostileReceiverTest, WithHalfABindLearnsNothing) {
    share_files();
    const auto evil = hostile({.binding = [](Bytes right) {
        right.pop_back();
        return right;
    }});
    const auto right = evil->wait_for_connection();
    expect_still_serving();
    EXPECT_EQ(evil->bytes(), 0U);
    evil->control_bytes({right.back()});
    greet(*evil);
}

TEST_F(HostileReceiverTest, WithoutABindLearnsNothingAndTimesOut) {
    share_files();
    const auto evil = hostile({.binding = [](const Bytes &) { return Bytes{}; }});
    evil->wait_for_connection();
    expect_still_serving();
    EXPECT_EQ(evil->bytes(), 0U);
    pair().sender.advance(30 * kSecond);
    EXPECT_EQ(failure_of(*evil), ErrorCode::NoRoute);
    EXPECT_EQ(evil->bytes(), 0U);
}

TEST_F(HostileReceiverTest, ThatNeverReadsGetsNoMoreThanItsWindow) {
    constexpr std::uint64_t kSize = 84'000'000;
    // Data read ahead of the window, plus segments planned when it was full.
    constexpr std::uint64_t kAhead = (8ULL << 20) + 16 * kChunkBytes;
    pair().write_source("large.bin", kSize);
    share();
    const auto evil = hostile({.reads = false});
    greet(*evil);
    evil->control(Request{2});
    evil->wait_for_bytes(kConnectionWindow / 2);
    expect_still_serving();
    expect_still_serving();

    pair().sender.advance(StallWatch::kPatience);
    pair().sender.wait_for<StalledEvent>([&](const StalledEvent &event) {
        return event.peer == evil->peer() && event.reason == StallReason::PeerDisk;
    });
    evil->control(Progress{.files = 0, .bytes = 1});
    const auto progress = pair().sender.wait_for<ProgressEvent>(
        [&](const ProgressEvent &event) { return event.peer == evil->peer() && event.bytes == 1; });
    EXPECT_GT(progress.transferred, kConnectionWindow / 2);
    EXPECT_LT(progress.transferred, kConnectionWindow + kAhead);
    EXPECT_FALSE(failed(*evil));
}

TEST_F(HostileReceiverTest, AFileThatBecameALinkIsNotSent) {
    const std::string secret = "nobody shared this";
    const std::string shared = "this is for others";
    const auto write = [](const std::filesystem::path &path, const std::string &text) {
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
    };
    const auto outside = pair().source().parent_path() / "outside";
    write(outside / "secret.txt", secret);
    write(outside / "a.txt", secret);
    for (const auto *name : {"a.txt", "folder/a.txt", "plain.txt"}) {
        write(pair().source() / name, shared);
    }
    share();
    const auto evil = hostile();
    greet(*evil);
    std::filesystem::remove(pair().source() / "a.txt");
    std::filesystem::create_symlink(outside / "secret.txt", pair().source() / "a.txt");
    std::filesystem::remove_all(pair().source() / "folder");
    std::filesystem::create_directory_symlink(outside, pair().source() / "folder");

    evil->control(Request{entries()});
    for (const auto *path : {"source/a.txt", "source/folder/a.txt"}) {
        const auto problem =
            pair().sender.wait_for<ItemProblemEvent>([&](const ItemProblemEvent &event) {
                return event.peer == evil->peer() && event.path == path;
            });
        EXPECT_EQ(problem.error.code, ErrorCode::SourceChanged) << path;
    }
    evil->wait_for_text(shared);
    EXPECT_FALSE(evil->has_text(secret.substr(0, 6)));

    EXPECT_EQ(receive_honestly().problems, 2U);
    EXPECT_TRUE(std::filesystem::exists(pair().target() / "source/plain.txt"));
    EXPECT_FALSE(std::filesystem::exists(pair().target() / "source/a.txt"));
    EXPECT_FALSE(std::filesystem::exists(pair().target() / "source/folder/a.txt"));
}

TEST_F(HostileReceiverTest, EntriesAddedWhileTheListIsUnderWayFollowTheFirstCheckpoint) {
    // More names than are queued at a time.
    constexpr std::uint64_t kFiles = 5'000;
    for (std::uint64_t number = 0; number < kFiles; ++number) {
        pair().write_source("first/" + std::to_string(number) + std::string(250, 'n'), 0);
    }
    pair().write_source("second/b.bin", 1);
    pair().share({(pair().source() / "first").string()});
    const auto first_end = entries();
    const auto evil = hostile({.deaf = true});
    pair().sender.wait_for<ConnectedEvent>();
    pair().sender.post(
        AddItems{EnginePair::kShare, {{.path = (pair().source() / "second").string()}}});
    pair().sender.wait_for<ScanItemsEvent>(
        [](const ScanItemsEvent &event) { return event.items.size() == 2; });
    evil->set_deaf(false);
    greet(*evil);
    EXPECT_EQ(evil->wait_for<Offer>().files, kFiles);
    EXPECT_EQ(evil->wait_for_checkpoint(0), first_end);
    evil->control(Request{first_end});
    EXPECT_EQ(evil->wait_for_checkpoint(1), first_end + 2);
    EXPECT_FALSE(failed(*evil));
}

} // namespace
} // namespace thru

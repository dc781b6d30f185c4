// What a hostile sender tries, and that nothing comes of it: names in comments are those of the
// cases.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "engine/hostile/hostile_messages.h"
#include "engine/hostile/hostile_sender.h"
#include "wire/varint.h"

namespace thru {
namespace {

/// Offers, accepts, and expects the receive to end with this error and without a trace.
void expect_refused(const std::vector<ManifestEntry> &entries, ErrorCode code) {
    HostileSenderTest evil;
    evil.offer(entries);
    evil.receiver.wait_for<OfferEvent>();
    evil.receiver.post(Accept{HostileSenderTest::kReceive, evil.target().string(), {}, {}});
    const auto failed = evil.receiver.wait_for<FailedEvent>();
    EXPECT_EQ(failed.error.code, code) << failed.error.detail;
    evil.receiver.close();
    for (const auto &path : evil.files()) {
        EXPECT_TRUE(path == "outside" || path == "target") << path;
    }
}

class RefusedNames : public ::testing::TestWithParam<const char *> {};

TEST_P(RefusedNames, EndTheReceiveBeforeAnythingIsMade) {
    expect_refused({file("fine.txt"), file(GetParam())}, ErrorCode::BadManifest);
}

// What the decoder refuses already stands below.
INSTANTIATE_TEST_SUITE_P(Catalogue, RefusedNames,
                         ::testing::Values(".~thru-7f3c21.journal", ".~THRU-x"));

class HarmlessNames : public ::testing::TestWithParam<const char *> {};

TEST_P(HarmlessNames, AreWrittenAsTheyCanBeSeenAndNowhereElse) {
    HostileSenderTest evil;
    evil.offer({file("fine.txt"), file(GetParam())});
    evil.receiver.wait_for<OfferEvent>();
    evil.receiver.post(Accept{HostileSenderTest::kReceive, evil.target().string(), {}, {}});
    evil.wait_for<Request>();
    evil.segment({{0, 0, 4}, {1, 0, 4}}, "12345678");
    evil.wait_for<Done>();
    evil.receiver.close();
    std::size_t written = 0;
    for (const auto &path : evil.files()) {
        EXPECT_TRUE(path == "outside" || path == "target" || path.starts_with("target/")) << path;
        EXPECT_TRUE(std::ranges::all_of(path, [](char c) { return c > 0x1f && c < 0x7f; }));
        written += path.starts_with("target/") ? 1 : 0;
    }
    EXPECT_GE(written, 2U);
}

// Other systems would read these as ways out, terminals as commands, people as other names.
INSTANTIATE_TEST_SUITE_P(Catalogue, HarmlessNames,
                         ::testing::Values("C:x", "c:/x", "\\\\srv\\share\\x", "\\\\?\\C:\\x",
                                           "\\\\.\\PhysicalDrive0", "a\\..\\..\\x", "x\ny",
                                           "x\x1b[2J",
                                           "a\xe2\x80\x8b"
                                           "b",
                                           "exe\xe2\x80\xaetxt.", "\xff", "\xc0\xae\xc0\xae",
                                           "\xed\xa0\x80"));

TEST(HostileSenderTest, TheSamePathTwiceIsRefused) { // MAN-08
    expect_refused({file("a.txt"), file("a.txt")}, ErrorCode::BadManifest);
}

TEST(HostileSenderTest, AFileThatIsAlsoAFolderIsRefused) { // MAN-11
    expect_refused({file("a"), file("a/b")}, ErrorCode::BadManifest);
    expect_refused({file("a/b"), file("a")}, ErrorCode::BadManifest);
}

TEST(HostileSenderTest, ALinkThatLeadsOutIsRefused) { // MAN-12
    for (const auto *target : {"/etc/passwd", "../../outside", "a/../../.."}) {
        expect_refused({{.kind = EntryKind::Folder, .path = "top"},
                        {.kind = EntryKind::Link, .path = "top/link", .target = target}},
                       ErrorCode::BadManifest);
    }
}

/// Raw bytes on the manifest stream that the decoder has to refuse.
void expect_protocol_error(Bytes bytes, ErrorCode code = ErrorCode::PeerProtocol) {
    HostileSenderTest evil;
    evil.manifest_bytes(std::move(bytes));
    EXPECT_EQ(evil.receiver.wait_for<FailedEvent>().error.code, code);
    EXPECT_EQ(evil.receiver.count<OfferEvent>(), 0U);
}

Bytes raw_entry(std::string_view path, std::uint64_t size = 4) {
    Bytes bytes{0};
    append_varint(bytes, 0);
    append_varint(bytes, path.size());
    append_bytes(bytes, as_bytes(path));
    append_varint(bytes, size);
    append_varint(bytes, 0);
    return bytes;
}

TEST(HostileSenderTest, PathsThatAreNotCanonicalEndTheConnection) { // PATH-01, 02, 07, 08, 19
    using namespace std::string_view_literals;
    for (const auto path : {"../x"sv, "a/../../x"sv, ".."sv, "a/.."sv, "/etc/x"sv, "//srv/x"sv,
                            "x\0y"sv, ""sv, "."sv, "./a"sv, "a//b"sv, "a/"sv}) {
        expect_protocol_error(raw_entry(path));
    }
}

TEST(HostileSenderTest,
     SizesAndCountsBeyondTheLimitsEndTheConnection) { // MAN-03, 04, 05, 06, 12, 17
    Bytes twice = raw_entry("a", kMaxTotalBytes);
    append_bytes(twice, raw_entry("b", kMaxTotalBytes));
    expect_protocol_error(twice, ErrorCode::LimitExceeded);

    Bytes wrong_count = raw_entry("a");
    wrong_count.push_back(0x03);
    append_varint(wrong_count, 2);
    append_varint(wrong_count, 4);
    expect_protocol_error(wrong_count);

    Bytes unknown_kind = raw_entry("a");
    unknown_kind[0] = 0x80;
    expect_protocol_error(unknown_kind);

    std::string deep = "a";
    for (std::size_t depth = 0; depth < kMaxPathDepth; ++depth) {
        deep += "/a";
    }
    expect_protocol_error(raw_entry(deep), ErrorCode::LimitExceeded);
    expect_protocol_error(raw_entry(std::string(kMaxComponentBytes + 1, 'a')),
                          ErrorCode::LimitExceeded); // PATH-13
}

/// A receive that has accepted two files of four bytes.
std::unique_ptr<HostileSenderTest> accepted(const ReceiveOptions &options = {}) {
    auto evil = std::make_unique<HostileSenderTest>();
    evil->offer({file("a.txt"), {.kind = EntryKind::Folder, .path = "folder"}, file("b.txt")});
    evil->receiver.wait_for<OfferEvent>();
    evil->receiver.post(Accept{HostileSenderTest::kReceive, evil->target().string(), options, {}});
    evil->wait_for<Request>();
    return evil;
}

void expect_ended(HostileSenderTest &evil, ErrorCode code = ErrorCode::PeerProtocol) {
    EXPECT_EQ(evil.receiver.wait_for<FailedEvent>().error.code, code);
    EXPECT_FALSE(std::filesystem::exists(evil.target() / "a.txt"));
    EXPECT_FALSE(std::filesystem::exists(evil.target() / "b.txt"));
}

TEST(HostileSenderTest, DataBeforeRequestIsRefused) { // WIRE-05
    HostileSenderTest evil;
    evil.offer({file("a.txt")});
    evil.receiver.wait_for<OfferEvent>();
    evil.segment({{.index = 0, .offset = 0, .length = 4}}, "evil");
    expect_ended(evil);
}

TEST(HostileSenderTest, DataBeyondItsFileIsRefused) { // WIRE-06
    const auto evil = accepted();
    evil->segment({{.index = 0, .offset = 2, .length = 4}}, "evil");
    expect_ended(*evil);
}

TEST(HostileSenderTest, TheSameDataTwiceIsRefused) { // WIRE-06
    const auto evil = accepted();
    evil->segment({{.index = 0, .offset = 0, .length = 2}}, "ev");
    evil->segment({{.index = 0, .offset = 0, .length = 2}}, "ev");
    expect_ended(*evil);
}

TEST(HostileSenderTest, DataOfFoldersAndOfNothingIsRefused) { // WIRE-07
    for (const std::uint64_t index : {1ULL, 3ULL, 1ULL << 60}) {
        const auto evil = accepted();
        evil->segment({{.index = index, .offset = 0, .length = 4}}, "evil");
        expect_ended(*evil);
    }
}

TEST(HostileSenderTest, AWrongHashIsResentOnceAndThenTheFileFails) { // WIRE-09
    const auto evil = accepted();
    evil->segment({{.index = 2, .offset = 0, .length = 4}}, "good");
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

/// A receive that has all of one file and said so.
std::unique_ptr<HostileSenderTest> done() {
    auto evil = std::make_unique<HostileSenderTest>();
    evil->offer({file("a.txt")});
    evil->receiver.wait_for<OfferEvent>();
    evil->receiver.post(Accept{HostileSenderTest::kReceive, evil->target().string(), {}, {}});
    evil->wait_for<Request>();
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
    evil->wait_for_end();
    EXPECT_EQ(evil->receiver.count<FinishedEvent>(), 1U);
    EXPECT_EQ(evil->receiver.count<FailedEvent>(), 0U);
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

TEST(HostileSenderTest, ByeBeforeDoneIsRefused) { // WIRE-10
    const auto evil = accepted();
    evil->control(Bye{});
    expect_ended(*evil);
}

TEST(HostileSenderTest, AControlMessageThatIsTooLongIsRefused) { // WIRE-01
    for (const std::uint64_t length : {std::uint64_t{kMaxControlPayload} + 1, kMaxVarint}) {
        const auto evil = accepted();
        Bytes bytes;
        append_varint(bytes, 2);
        append_varint(bytes, length);
        evil->control_bytes(bytes);
        expect_ended(*evil);
    }
}

TEST(HostileSenderTest, UnknownMessagesAreSkipped) { // WIRE-04
    const auto evil = accepted();
    evil->control_bytes({0x3f, 0x03, 1, 2, 3});
    evil->segment({{.index = 0, .offset = 0, .length = 4}, {.index = 2, .offset = 0, .length = 4}},
                  "goodgood");
    EXPECT_EQ(evil->wait_for<Done>().files, 2U);
}

TEST(HostileSenderTest, HolesForAFileThatIsNotSparseAreRefused) {
    const auto evil = accepted();
    evil->control(Hole{.index = 0, .offset = 0, .length = 4});
    expect_ended(*evil);
}

TEST(HostileSenderTest, AnswersWithoutAHaveAreRefused) {
    for (const ControlMessage &message : {ControlMessage{Confirm{0}}, ControlMessage{Restart{0}},
                                          ControlMessage{Progress{}}, ControlMessage{Request{1}}}) {
        const auto evil = accepted();
        evil->control(message);
        expect_ended(*evil);
    }
}

TEST(HostileSenderTest, ALinkInTheTargetIsNeverFollowed) { // PATH-23
    HostileSenderTest evil;
    std::filesystem::create_directories(evil.target());
    std::filesystem::create_directory_symlink(evil.outside(), evil.target() / "out");
    evil.offer({file("out/passwd"), file("fine.txt")});
    evil.receiver.wait_for<OfferEvent>();
    evil.receiver.post(Accept{HostileSenderTest::kReceive, evil.target().string(), {}, {}});
    EXPECT_EQ(evil.wait_for<EntryFailed>().index, 0U);
    evil.segment({{.index = 1, .offset = 0, .length = 4}}, "good");
    EXPECT_EQ(evil.wait_for<Done>().files, 1U);
    EXPECT_TRUE(std::filesystem::is_empty(evil.outside()));
}

/// PATH-24: half a second here, a minute with THRU_LONG_TESTS.
TEST(HostileSenderTest, ARacerWhoSwapsFoldersForLinksGetsNothingOut) {
    const bool is_long = std::getenv("THRU_LONG_TESTS") != nullptr;
    const auto until =
        std::chrono::steady_clock::now() +
        (is_long ? std::chrono::milliseconds(60'000) : std::chrono::milliseconds(500));
    std::size_t rounds = 0;
    do {
        // A few files are synced one by one, through their folder.
        const std::uint64_t files = rounds % 2 == 0 ? 3 : 200;
        HostileSenderTest evil;
        const auto parent = evil.target() / "parent";
        std::filesystem::create_directories(parent);
        std::vector<ManifestEntry> entries;
        SegmentPlan plan;
        for (std::uint64_t index = 0; index < files; ++index) {
            entries.push_back(file("parent/" + std::to_string(index)));
            plan.push_back({.index = index, .offset = 0, .length = 4});
        }
        std::atomic<bool> stop = false;
        std::thread racer([&] {
            const auto aside = evil.target() / "aside";
            std::error_code ignored;
            // Files that can't be named wait longer from try to try, so racing ends before the
            // receive does.
            const auto tired = std::chrono::steady_clock::now() + std::chrono::seconds(3);
            while (!stop && std::chrono::steady_clock::now() < tired) {
                std::filesystem::rename(parent, aside, ignored);
                std::filesystem::create_directory_symlink(evil.outside(), parent, ignored);
                std::filesystem::remove(parent, ignored);
                std::filesystem::rename(aside, parent, ignored);
            }
        });
        evil.offer(entries);
        evil.receiver.wait_for<OfferEvent>();
        evil.receiver.post(Accept{HostileSenderTest::kReceive, evil.target().string(), {}, {}});
        evil.wait_for<Request>();
        std::string data;
        for (std::uint64_t index = 0; index < files; ++index) {
            data += "evil";
        }
        evil.segment(plan, data);
        evil.resend_until_done(data);
        stop = true;
        racer.join();
        EXPECT_TRUE(std::filesystem::is_empty(evil.outside()));
        ++rounds;
    } while (rounds < 2 || std::chrono::steady_clock::now() < until);
    RecordProperty("rounds", static_cast<int>(rounds));
}

} // namespace
} // namespace thru

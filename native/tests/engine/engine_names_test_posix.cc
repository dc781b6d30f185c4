// A whole transfer of names that only some systems allow, and of entries that are left out.
#include <filesystem>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "engine/engine_pair.h"
#include "fs/file_system_posix.h"

namespace thru {
namespace {

TEST(EngineNames, NamesMappedAfterAcceptingAreReported) {
    EnginePair pair;
    pair.write_source("first/a\tb", 10, 1);
    pair.write_source("second/plain", 20, 2);
    pair.write_source("third/c\td", 30, 3);
    pair.start({(pair.source() / "first").string()});
    pair.receiver.wait_for<OfferEvent>();
    pair.sender.post(SetPaused{EnginePair::kShare, "", true});
    pair.accept();
    EXPECT_EQ(pair.receiver.wait_for<AcceptedEvent>().mapped_names, 1u);
    const auto add = [&pair](const char *folder, std::uint64_t files) {
        pair.sender.post(
            AddItems{EnginePair::kShare, {{.path = (pair.source() / folder).string()}}});
        pair.receiver.wait_for<OfferEvent>(
            [files](const OfferEvent &event) { return event.files == files; });
    };
    add("second", 2);
    add("third", 3);
    const auto told = pair.receiver.wait_for<NamesMappedEvent>();
    EXPECT_EQ(told.peer, "s");
    EXPECT_EQ(told.mapped_names, 2u);
    ASSERT_EQ(told.listed_names.size(), 1u);
    EXPECT_EQ(told.listed_names[0].path, "third/c\td");
    EXPECT_EQ(told.listed_names[0].written_as, "third/c%09d");
    pair.sender.post(SetPaused{EnginePair::kShare, "", false});
    EXPECT_EQ(pair.receiver.wait_for<FinishedEvent>().files, 3u);
    EXPECT_EQ(pair.receiver.count<NamesMappedEvent>(), 1u);
    EXPECT_EQ(std::filesystem::file_size(pair.target() / "third/c%09d"), 30u);
}

TEST(EngineNames, TheReceiverLearnsWhatTheSenderLeavesOut) {
    EnginePair pair;
    pair.write_source("fine", 10);
    ASSERT_EQ(::mkfifo((pair.source() / "pipe").c_str(), 0600), 0);
    std::filesystem::create_symlink("/etc/passwd", pair.source() / "outside");
    std::filesystem::create_symlink("../x", pair.source() / "above");
    pair.start({pair.source().string()});
    const auto offer = pair.receiver.wait_for<OfferEvent>();
    EXPECT_EQ(offer.files, 1u);
    ASSERT_EQ(offer.left_out.reasons.size(), 2u);
    for (const LeftOutReason &reason : offer.left_out.reasons) {
        const bool is_link = reason.code == ErrorCode::LinkOutside;
        EXPECT_EQ(reason.entries, is_link ? 2u : 1u);
        ASSERT_EQ(reason.paths.size(), is_link ? 2u : 1u);
        if (!is_link) {
            EXPECT_EQ(reason.code, ErrorCode::PathUnsupported);
            EXPECT_EQ(reason.paths[0], "source/pipe");
        }
    }
}

TEST(EngineNames, ProblemsOfARemovedItemAreNoLongerReported) {
    EnginePair pair;
    pair.write_source("one/fine", 10);
    pair.write_source("two/fine", 10);
    std::filesystem::create_symlink("/etc/passwd", pair.source() / "one/outside");
    pair.start({(pair.source() / "one").string(), (pair.source() / "two").string()});
    const auto offer = pair.receiver.wait_for<OfferEvent>();
    ASSERT_EQ(offer.left_out.reasons.size(), 1u);
    EXPECT_EQ(offer.left_out.reasons[0].paths, std::vector<std::string>{"one/outside"});
    pair.sender.post(RemoveItem{EnginePair::kShare, 0});
    pair.receiver.wait_for<OfferEvent>([](const OfferEvent &event) {
        return event.items.size() == 1 && event.left_out.reasons.empty();
    });
}

TEST(EngineNames, AnItemThatIsLeftOutIsNamedWithoutItsFolder) {
    EnginePair pair;
    pair.write_source("fine", 10);
    ASSERT_EQ(::mkfifo((pair.source() / "pipe").c_str(), 0600), 0);
    pair.start({(pair.source() / "fine").string(), (pair.source() / "pipe").string()});
    const auto offer = pair.receiver.wait_for<OfferEvent>();
    ASSERT_EQ(offer.left_out.reasons.size(), 1u);
    EXPECT_EQ(offer.left_out.reasons[0].paths, std::vector<std::string>{"pipe"});
}

TEST(EngineNames, LinksKeepTheirTimes) {
    for (const bool keep_times : {true, false}) {
        EnginePair pair;
        pair.write_source("file", 10);
        const auto link = pair.source() / "link";
        std::filesystem::create_symlink("file", link);
        const timespec times[2] = {{.tv_sec = 1, .tv_nsec = 0},
                                   {.tv_sec = 1'234'567'890, .tv_nsec = 500}};
        ASSERT_EQ(::utimensat(AT_FDCWD, link.c_str(), times, AT_SYMLINK_NOFOLLOW), 0);
        pair.start({pair.source().string()});
        pair.receiver.wait_for<OfferEvent>();
        pair.accept({.keep_times = keep_times});
        pair.receiver.wait_for<FinishedEvent>();
        struct stat status{};
        ASSERT_EQ(::lstat((pair.target() / "source/link").c_str(), &status), 0);
        const timespec kept = fs::mtime_of(status);
        EXPECT_EQ(kept.tv_sec == 1'234'567'890 && kept.tv_nsec == 500, keep_times);
        ASSERT_EQ(::stat((pair.target() / "source/link").c_str(), &status), 0);
        EXPECT_NE(fs::mtime_of(status).tv_sec, 1'234'567'890) << "not what it leads to";
    }
}

} // namespace
} // namespace thru

// The offer of a share without receivers.
#include "engine/share/share_contents.h"

#include <gtest/gtest.h>

#include "engine/folder_end.h"
#include "fs/disk.h"

namespace thru {
namespace {

TEST(ShareContents, CountsEachEntryThatAShareHasNoRoomForAndTellsOfItOnce) {
    const test::TemporaryFolder folder;
    for (const char *name : {"one/a", "one/b", "two/c", "two/d", "two/e"}) {
        test::write_file(folder / name, "1");
    }
    test::FolderEnd end(folder.path());
    auto &context = end.context();
    ShareContents contents(context, 1, {.max_entries = 4},
                           {.on_checkpoint = [](const ShareContents &) {},
                            .on_removed = [](const ShareContents &, const IndexRanges &) {},
                            .on_grown = [](const ShareContents &) {},
                            .on_nothing = [](const ShareContents &) {},
                            .on_stream_grown = [](std::uint64_t, bool) {},
                            .on_stream_broken = [] {}});
    std::vector<ItemProblemEvent> problems;
    std::uint64_t left_out = 0;
    const auto finish = [&] {
        end.finish_disk();
        for (const auto &event : context.events.take()) {
            if (const auto *problem = std::get_if<ItemProblemEvent>(&event)) {
                problems.push_back(*problem);
            } else if (const auto *scan = std::get_if<ScanEvent>(&event)) {
                left_out = scan->left_out;
            }
        }
    };
    ASSERT_TRUE(
        contents.add({{.path = (folder / "one").string()}, {.path = (folder / "two").string()}}));
    finish();
    ASSERT_EQ(contents.left_out().reasons.size(), 1U);
    EXPECT_EQ(contents.left_out().reasons[0].code, ErrorCode::LimitExceeded);
    EXPECT_EQ(contents.left_out().reasons[0].entries, 3U);
    EXPECT_EQ(left_out, 3U);
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_EQ(problems[0].error.code, ErrorCode::LimitExceeded);
    ASSERT_TRUE(contents.remove(1));
    finish();
    EXPECT_TRUE(contents.left_out().reasons.empty());
    EXPECT_EQ(left_out, 0U);
}

} // namespace
} // namespace thru

// Extended attributes of a share's files.
#include <sys/xattr.h>

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/folder_end.h"
#include "engine/share/share_contents.h"
#include "fs/disk.h"

namespace thru::test {
namespace {

bool set_note(const std::filesystem::path &path, const std::string &value) {
    return ::setxattr(path.c_str(), "user.note", value.data(), value.size(), 0) == 0;
}

class ShareAttributes : public testing::Test {
protected:
    void SetUp() override {
        write_file(folder_ / "in/a", "1");
        if (!set_note(folder_ / "in/a", "a")) {
            GTEST_SKIP() << "this file system has no extended attributes";
        }
    }
    std::unique_ptr<ShareContents> scanned() {
        auto contents = std::make_unique<ShareContents>(
            end_.context(), 1, ScanOptions{.attributes = true},
            ShareContents::Listener{.on_checkpoint = [](const ShareContents &) {},
                                    .on_removed = [](const ShareContents &, const IndexRanges &) {},
                                    .on_grown = [](const ShareContents &) {},
                                    .on_nothing = [](const ShareContents &) {},
                                    .on_stream_grown = [](std::uint64_t, bool) {},
                                    .on_stream_broken = [] {}});
        EXPECT_TRUE(contents->add({{.path = (folder_ / "in").string()}}));
        end_.finish_disk();
        return contents;
    }

    TemporaryFolder folder_;
    FolderEnd end_{folder_.path() / "unused"};
};

TEST_F(ShareAttributes, AreComparedWithThoseOfAnotherScan) {
    write_file(folder_ / "in/b", "2");
    const auto before = scanned();
    EXPECT_TRUE(before->has_attributes_of(*scanned()));
    ASSERT_TRUE(set_note(folder_ / "in/a", "other"));
    EXPECT_FALSE(before->has_attributes_of(*scanned()));
    ASSERT_TRUE(set_note(folder_ / "in/a", "a"));
    ASSERT_TRUE(set_note(folder_ / "in/b", "b"));
    EXPECT_FALSE(before->has_attributes_of(*scanned()));
    ASSERT_EQ(::removexattr((folder_ / "in/a").c_str(), "user.note"), 0);
    EXPECT_FALSE(before->has_attributes_of(*scanned()));
}

TEST_F(ShareAttributes, BeyondTheLimitOfAnOfferAreLeftOutAndReportedOnce) {
    // Some file systems store less than 4 KiB for each file.
    const std::string value(3'000, 'x');
    const std::uint64_t cost = attribute_cost({{"note", value}});
    ASSERT_TRUE(set_note(folder_ / "in/a", value));
    const std::uint64_t fits = kMaxOfferAttributeBytes / cost;
    for (std::uint64_t number = 1; number < fits + 2; ++number) {
        const auto path = folder_ / ("in/" + std::to_string(number));
        write_file(path, "");
        ASSERT_TRUE(set_note(path, value));
    }
    const auto contents = scanned();
    EXPECT_EQ(contents->attributes().size(), fits);
    EXPECT_TRUE(contents->left_out().reasons.empty());
    std::vector<ItemProblemEvent> problems;
    for (const auto &event : end_.context().events.take()) {
        if (const auto *problem = std::get_if<ItemProblemEvent>(&event)) {
            problems.push_back(*problem);
        }
    }
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_EQ(problems[0].error.code, ErrorCode::AttributesLeftOut);
}

} // namespace
} // namespace thru::test

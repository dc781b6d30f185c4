// Received files are marked as coming from another computer.
#include <sys/stat.h>
#include <sys/xattr.h>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "target/fake_sender.h"

namespace thru::test {
namespace {

std::string origin_of(const std::filesystem::path &path) {
    std::string value(256, '\0');
    const auto length = ::getxattr(path.c_str(), "user.xdg.origin.url", value.data(), value.size());
    value.resize(length < 0 ? 0 : static_cast<std::size_t>(length));
    return value;
}

TEST(ReceivedMark, RecordsTheOriginOfSmallAndLargeFilesAndLeavesTheirTimes) {
    const TemporaryFolder folder;
    test::write_file(folder / "probe", "");
    if (::setxattr((folder / "probe").c_str(), "user.probe", "1", 1, 0) != 0) {
        GTEST_SKIP() << "this file system has no extended attributes";
    }
    test::Offered offered;
    offered.file("small", "content");
    offered.file("large", test::bytes_of(100'000, 1));
    test::SendOptions options;
    options.sender = "Mina & Bea\n";
    test::Attempt attempt(offered, (folder / "in").string(), options);
    ASSERT_TRUE(attempt.run());
    for (const char *name : {"in/small", "in/large"}) {
        EXPECT_EQ(origin_of(folder / name), "thruflux:received?from=Mina%20%26%20Bea%0A");
        struct stat status{};
        ASSERT_EQ(::stat((folder / name).c_str(), &status), 0);
        EXPECT_EQ(status.st_mtim.tv_nsec, 1'000);
    }
}

TEST(ReceivedMark, IsNotThereWhenItIsNotWanted) {
    const TemporaryFolder folder;
    test::Offered offered;
    offered.file("small", "content");
    test::SendOptions options;
    options.sender = "Mina";
    options.receive.mark = false;
    test::Attempt attempt(offered, (folder / "in").string(), options);
    ASSERT_TRUE(attempt.run());
    EXPECT_EQ(origin_of(folder / "in/small"), "");
}

} // namespace
} // namespace thru::test

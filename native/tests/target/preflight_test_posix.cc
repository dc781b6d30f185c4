#include <sys/resource.h>
#include <sys/stat.h>

#include <gtest/gtest.h>

#include "target/preflights.h"

namespace thru {
namespace {

using namespace test;

TEST(Preflight, ComparesTheTextsOfLinks) {
    TemporaryFolder folder;
    std::filesystem::create_directory(folder / "a");
    for (const char *name : {"same", "other"}) {
        std::filesystem::create_symlink(name, folder.path() / "a" / name);
    }
    const auto manifest =
        table({{.kind = EntryKind::Link, .path = "a/same", .target = "same"},
               {.kind = EntryKind::Link, .path = "a/other", .target = "something else"}});
    const auto found = preflight_of(folder.path(), manifest);
    EXPECT_EQ(found.conflicts.identical, 0U) << "only files are counted, as at the end";
    EXPECT_EQ(found.conflicts.kept_both, 1U);
    EXPECT_EQ(preflight_of(folder.path(), manifest, {.make_links = false}).conflicts.kept_both, 0U);
}

TEST(Preflight, FollowsNoLinkOutOfTheTarget) {
    // PATH-23, PATH-26
    TemporaryFolder outside;
    write_at_time(outside / "passwd", "12345");
    TemporaryFolder folder;
    std::filesystem::create_directory_symlink(outside.path(), folder / "out");
    std::filesystem::create_symlink(outside / "passwd", folder / "file");
    std::filesystem::create_symlink("nowhere", folder / "dangling");
    std::filesystem::create_directory(folder / "folder");
    const auto manifest = table({offered("out/passwd", 5), offered("file", 5),
                                 offered("dangling", 5), offered("folder", 5)});
    const auto found = preflight_of(folder.path(), manifest, {.conflict = ConflictPolicy::Replace});
    EXPECT_EQ(found.conflicts.identical, 0U);
    EXPECT_EQ(found.conflicts.replaced, 2U) << "the links themselves";
    EXPECT_EQ(found.conflicts.different, 2U) << "a folder can't be replaced";
    EXPECT_EQ(found.needed_bytes, 10U) << "nothing can be written below a link";
}

TEST(Preflight, ReportsFilesThatAreTooLarge) {
    TemporaryFolder folder;
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit lower{.rlim_cur = 1000, .rlim_max = before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &lower), 0);
    const auto found = preflight_of(
        folder.path(), table({offered("a", 1000), offered("b", 1001), offered("c", 5)}));
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_EQ(found.too_large, std::vector<std::uint64_t>{1});
    EXPECT_EQ(found.needed_bytes, 1005U) << "of those that can be written";
}

TEST(Preflight, WaitsForNoPipe) {
    TemporaryFolder folder;
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    const auto found = preflight_of(folder.path(), table({offered("pipe", 0)}));
    EXPECT_EQ(found.conflicts.kept_both, 1U); // PATH-26
}

} // namespace
} // namespace thru

#include <filesystem>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "target/local_transfer.h"

namespace thru {
namespace {

TEST(RoundTrip, KeepsTheRightToExecute) {
    const test::TemporaryFolder source;
    const test::TemporaryFolder target;
    test::write_file(source / "run.sh", "#!/bin/sh\n");
    test::write_file(source / "plain", test::noise(9 << 20, 1));
    using std::filesystem::perms;
    std::filesystem::permissions(source / "run.sh", perms::owner_all);
    std::filesystem::permissions(source / "plain", perms(0600));
    const auto done =
        test::transfer({(source / "run.sh").string(), (source / "plain").string()}, target.path());
    ASSERT_TRUE(done.result);
    EXPECT_NE(std::filesystem::status(target / "run.sh").permissions() & perms::owner_exec,
              perms::none);
    EXPECT_EQ(std::filesystem::status(target / "plain").permissions() & perms(0111), perms::none);
    EXPECT_NE(std::filesystem::status(target / "plain").permissions() & perms::owner_write,
              perms::none);
}

} // namespace
} // namespace thru

#include <gtest/gtest.h>

#include "fs/file_system_posix.h"

namespace thru {
namespace {

TEST(FileSystem, CountsWhatAllProgramsHaveYetToWrite) {
    EXPECT_EQ(fs::unwritten_bytes("MemTotal:       1000 kB\nDirty:            20 kB\n"
                                  "Writeback:         3 kB\nWritebackTmp:     500 kB\n"),
              23U * 1024);
    EXPECT_EQ(fs::unwritten_bytes(""), 0U);
    EXPECT_EQ(fs::unwritten_bytes("x\nDirty:"), 0U);
}

TEST(FileSystem, SyncsAllAtOnceOnlyWhereErrorsShow) {
    for (const char *release : {"5.8.0", "5.10.0-28-amd64", "6.1.0", "10.0"}) {
        EXPECT_TRUE(fs::syncfs_tells_errors(release)) << release;
    }
    for (const char *release :
         {"4.18.0-553.el8.x86_64", "5.4.0-42-generic", "5.7.19", "", "x", "5"}) {
        EXPECT_FALSE(fs::syncfs_tells_errors(release)) << release;
    }
}

} // namespace
} // namespace thru

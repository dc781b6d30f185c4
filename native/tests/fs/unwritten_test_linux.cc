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

} // namespace
} // namespace thru

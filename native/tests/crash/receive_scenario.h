// Contents of the target that are allowed at any time.
#pragma once

#include <gtest/gtest.h>

#include "crash/sim_disk.h"
#include "target/scenario.h"

namespace thru::test {

inline constexpr const char *kTarget = "/home/target";

/// Files under final names, without part files and journals.
inline Snapshot finals(const SimDisk &disk) {
    Snapshot found = disk.snapshot(kTarget);
    std::erase_if(
        found, [](const auto &entry) { return entry.first.find(".~thru-") != std::string::npos; });
    return found;
}

/// Expects every file under a final name to be complete.
inline void expect_nothing_wrong(const SimDisk &disk, const Snapshot &expected) {
    for (const auto &[path, content] : finals(disk)) {
        const auto wanted = expected.find(path);
        ASSERT_TRUE(wanted != expected.end()) << path;
        ASSERT_TRUE(wanted->second == content) << path << " has " << content.size() << " bytes";
    }
}

} // namespace thru::test

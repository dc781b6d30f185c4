// Targets and offers for preflights.
#pragma once

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "fs/file_system.h"
#include "target/preflight.h"

namespace thru::test {

/// A time, and the smallest difference that this system's files can store.
#ifdef _WIN32
inline constexpr std::int64_t kTime = 1'700'000'001'123'456'700;
inline constexpr std::int64_t kTick = 100;
#else
inline constexpr std::int64_t kTime = 1'700'000'001'123'456'789;
inline constexpr std::int64_t kTick = 1;
#endif

inline ManifestEntry offered(std::string path, std::uint64_t size, std::int64_t mtime_ns = kTime) {
    return {.path = std::move(path), .size = size, .mtime_ns = mtime_ns};
}

inline ManifestTable table(const std::vector<ManifestEntry> &entries) {
    ManifestTable manifest;
    for (const ManifestEntry &entry : entries) {
        EXPECT_TRUE(manifest.add(entry));
    }
    return manifest;
}

/// Writes a file with an offered file's time.
inline void write_at_time(const std::filesystem::path &path, std::string_view content,
                          std::int64_t mtime_ns = kTime) {
    write_file(path, content);
    const auto folder = fs::open_folder(path.parent_path().string());
    ASSERT_TRUE(folder);
    const auto file = fs::open_for_writing(*folder, path.filename().string());
    ASSERT_TRUE(file);
    fs::set_attributes(*file, mtime_ns, fs::kPlainMode);
}

inline PreflightResult preflight_of(const std::filesystem::path &target,
                                    const ManifestTable &manifest,
                                    const ReceiveOptions &options = {},
                                    const IndexRanges &unwanted = {}) {
    auto result = preflight_target(target.string(), manifest, manifest.size(), options, unwanted);
    EXPECT_TRUE(result) << result.error().detail;
    return result.value_or(PreflightResult{});
}

} // namespace thru::test

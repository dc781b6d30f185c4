// A file of which the folder has an older version, and chunks of both.
#pragma once

#include <gtest/gtest.h>

#include "support/prepare_folder.h"
#include "support/sizes.h"
#include "target/local_transfer.h"

namespace thru {

/// Chunks of these files are 8 KiB on average.
inline constexpr std::uint64_t kMaxChunk = 64 * 1024;

class MovedData : public testing::Test {
protected:
    static constexpr std::uint64_t kSize = 20 * test::kMiB;

    MovedData() {
        std::filesystem::create_directory(target_);
        test::write_file(target_ / "file", old_);
    }

    /// The time of the file is that of no file here: the same size and time would be no conflict.
    void offer(const std::string &content) const {
        test::write_file(source_, content);
        test::make_old(source_);
    }
    test::LocalTransfer receive(std::size_t max_segments = ~std::size_t{0}) const {
        return test::transfer(
            {source_.string()}, target_,
            {.max_segments = max_segments, .receive = options_, .lists_chunks = true});
    }
    auto open(const test::Share &share) const {
        return ReceiveFolder::open(
            target_.string(), share.manifest, options_,
            {.share = {1}, .receive = {2}, .origin = test::kOriginId, .lists_chunks = true});
    }
    /// Expects at most this many bytes to be sent, the right result, and nothing else there.
    void expect_sent(std::uint64_t most) const {
        const auto done = receive();
        EXPECT_TRUE(done.result) << done.result.error().detail;
        EXPECT_TRUE(done.finished);
        EXPECT_LE(done.bytes_sent, most);
        const std::map<std::string, std::string> expected{{"file", test::read_file(source_)}};
        EXPECT_TRUE(test::snapshot(target_.string()) == expected);
    }
    std::string with(std::initializer_list<std::uint64_t> offsets, const std::string &text) const {
        std::string content = old_;
        for (const std::uint64_t offset : offsets) {
            content.insert(static_cast<std::size_t>(offset), text);
        }
        return content;
    }

    test::TemporaryFolder folder_;
    std::string old_ = test::noise(kSize, 1);
    std::filesystem::path source_ = folder_ / "file";
    std::filesystem::path target_ = folder_ / "in";
    ReceiveOptions options_{.conflict = ConflictPolicy::Update};
};

} // namespace thru

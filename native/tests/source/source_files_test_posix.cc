// Changes to files between scanning and reading; holes.
#include "source/source_files.h"

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "fs/disk.h"
#include "source/share.h"
#include "support/sizes.h"

namespace thru::test {
namespace {

/// A 10-byte file that is shared in its folder and also alone.
class ChangedFile : public testing::Test {
protected:
    ChangedFile() {
        write_file(path_, "0123456789");
        test::make_old(path_);
        share_.add({(folder_ / "set").string(), path_.string()});
    }

    /// Expects the same error for both entries.
    void expect(ErrorCode code, std::string_view detail) {
        for (const std::size_t index : {1uz, 2uz}) {
            const auto opened = share_.files->open(index);
            ASSERT_FALSE(opened);
            EXPECT_EQ(opened.error().code, code);
            EXPECT_EQ(opened.error().detail, detail);
            EXPECT_FALSE(test::read_entry(share_, index));
            EXPECT_FALSE(share_.files->next_data(index, 0));
        }
    }

    TemporaryFolder folder_;
    std::filesystem::path path_ = folder_ / "set/file";
    Share share_;
};

TEST_F(ChangedFile, IsReadAsLongAsItIsTheSame) {
    EXPECT_EQ(test::read_entry(share_, 1), "0123456789");
    EXPECT_EQ(test::read_entry(share_, 2), "0123456789");
}

TEST_F(ChangedFile, Grew) {
    std::filesystem::resize_file(path_, 11);
    expect(ErrorCode::SourceChanged, "it grew");
}

TEST_F(ChangedFile, BecameShorter) {
    std::filesystem::resize_file(path_, 9);
    expect(ErrorCode::SourceChanged, "it became shorter");
}

TEST_F(ChangedFile, WasTouched) {
    std::filesystem::last_write_time(path_, std::filesystem::last_write_time(path_) -
                                                std::chrono::milliseconds(1));
    expect(ErrorCode::SourceChanged, "it was modified");
}

/// Nothing of the old version was read, so all data is from the new one.
TEST_F(ChangedFile, WasEditedWithSizeAndTimeRestored) {
    const auto time = std::filesystem::last_write_time(path_);
    const auto scanned = share_.entries[2].identity.version.ctime_ns;
    // Repeats until the file system's clock has advanced.
    while (fs::status_of(path_.string())->ctime_ns == scanned) {
        write_file(path_, "9876543210");
        std::filesystem::last_write_time(path_, time);
    }
    EXPECT_EQ(test::mtime_of(path_), share_.entries[2].entry.mtime_ns);
    EXPECT_EQ(test::read_entry(share_, 1), "9876543210");
}

TEST_F(ChangedFile, WasReplacedByRename) {
    write_file(folder_ / "other", "9876543210");
    std::filesystem::last_write_time(folder_ / "other", std::filesystem::last_write_time(path_));
    const auto scanned = share_.entries[2].identity.version.ctime_ns;
    while (fs::status_of((folder_ / "other").string())->ctime_ns == scanned) {
        std::filesystem::permissions(folder_ / "other", std::filesystem::perms::owner_all);
    }
    std::filesystem::rename(folder_ / "other", path_);
    expect(ErrorCode::SourceChanged, "it was replaced by another file");
}

TEST_F(ChangedFile, WasDeleted) {
    std::filesystem::remove(path_);
    expect(ErrorCode::PathNotFound, "it was deleted");
}

TEST_F(ChangedFile, MayNotBeRead) {
    std::filesystem::permissions(path_, std::filesystem::perms::none);
    const auto opened = share_.files->open(1);
    if (::geteuid() == 0) {
        EXPECT_TRUE(opened) << "root may read it all the same";
        return;
    }
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::PathUnreadable);
}

TEST_F(ChangedFile, BecameAFolder) {
    std::filesystem::remove(path_);
    std::filesystem::create_directory(path_);
    expect(ErrorCode::SourceChanged, "it is not a file now");
}

TEST_F(ChangedFile, BecameALinkToItself) {
    std::filesystem::rename(path_, folder_ / "elsewhere");
    std::filesystem::create_symlink("../elsewhere", path_);
    expect(ErrorCode::SourceChanged, "it is a link now");
}

TEST(SourceFiles, DoNotFollowALinkInThePlaceOfAFolder) {
    const TemporaryFolder folder;
    write_file(folder / "set/sub/file", "content");
    // A hard link to the same file, so that only the path differs.
    std::filesystem::create_directory(folder / "outside");
    std::filesystem::create_hard_link(folder / "set/sub/file", folder / "outside/file");
    const Share share({(folder / "set").string()});
    EXPECT_EQ(test::read_entry(share, 2), "content");
    std::filesystem::rename(folder / "set/sub", folder / "hidden");
    std::filesystem::create_directory_symlink("../outside", folder / "set/sub");
    EXPECT_FALSE(share.files->open(2));
}

TEST(SourceFiles, NeverReadThroughALinkThatIsSwappedIn) {
    const TemporaryFolder folder;
    write_file(folder / "set/sub/file", "inside");
    write_file(folder / "outside/file", "secret");
    std::filesystem::create_directory_symlink("../outside", folder / "link");
    const Share share({(folder / "set").string()});
    std::atomic<bool> enough = false;
    std::thread swapper([&] {
        const auto sub = folder / "set/sub";
        while (!enough) {
            std::filesystem::rename(sub, folder / "hidden");
            std::filesystem::rename(folder / "link", sub);
            std::filesystem::rename(sub, folder / "link");
            std::filesystem::rename(folder / "hidden", sub);
        }
    });
    std::size_t read = 0;
    std::size_t refused = 0;
    for (int attempt = 0; attempt < 2000 || read == 0; ++attempt) {
        const auto content = test::read_entry(share, 2);
        ++(content ? read : refused);
        EXPECT_EQ(content.value_or("inside"), "inside");
    }
    enough = true;
    swapper.join();
    EXPECT_GE(read + refused, 2000u);
}

TEST(SourceFiles, OpenTheFolderThatTookAnItemsPlace) {
    const TemporaryFolder folder;
    write_file(folder / "set/sub/file", "content");
    const Share share({(folder / "set").string()});
    EXPECT_EQ(test::read_entry(share, 2), "content");
    std::filesystem::rename(folder / "set/sub", folder / "sub");
    std::filesystem::rename(folder / "set", folder / "old");
    std::filesystem::create_directory(folder / "set");
    EXPECT_EQ(test::read_entry(share, 2).error().code, ErrorCode::PathNotFound);
    std::filesystem::rename(folder / "sub", folder / "set/sub");
    EXPECT_EQ(test::read_entry(share, 2), "content");
}

/// Writes a file with data in these runs.
void write_sparse(const std::filesystem::path &path, std::uint64_t size,
                  const std::vector<std::pair<std::uint64_t, std::uint64_t>> &runs) {
    const auto folder = fs::open_folder(path.parent_path().string());
    const auto file = fs::create_file(*folder, path.filename().string(), fs::kPlainMode);
    ASSERT_TRUE(file);
    ASSERT_TRUE(fs::set_size(*file, size));
    for (const auto &[offset, length] : runs) {
        const Bytes data(static_cast<std::size_t>(length), 'x');
        ASSERT_TRUE(fs::write_at(*file, offset, data));
    }
}

TEST(SourceFiles, FindTheDataOfAHugeSparseFile) {
    constexpr std::uint64_t kTiB = 1ULL << 40;
    const TemporaryFolder folder;
    write_sparse(folder / "huge", kTiB, {{kTiB / 2, kMiB}});
    const Share share({(folder / "huge").string()});
    ASSERT_TRUE(share.entries[0].entry.sparse);
    const auto data = share.files->next_data(0, 0);
    ASSERT_TRUE(data);
    EXPECT_EQ(data->begin, kTiB / 2);
    EXPECT_EQ(data->end, kTiB / 2 + kMiB);
    const auto inside = share.files->next_data(0, kTiB / 2 + 5);
    EXPECT_EQ(inside->begin, kTiB / 2 + 5);
    const auto rest = share.files->next_data(0, data->end);
    EXPECT_EQ(rest->begin, kTiB);
    EXPECT_EQ(rest->end, kTiB);
    std::filesystem::resize_file(folder / "huge", kTiB - 1);
    EXPECT_EQ(share.files->next_data(0, 0).error().code, ErrorCode::SourceChanged);
}

TEST(SourceFiles, PassOverHolesThatAreNotWorthSending) {
    constexpr std::uint64_t kHole = 32 * 1024;
    const TemporaryFolder folder;
    // Data and small holes alternate for 20 MiB, followed by a large and a small hole.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> runs;
    for (std::uint64_t at = kHole; at < 20 * kMiB; at += 2 * kHole) {
        runs.emplace_back(at, kHole);
    }
    runs.emplace_back(30 * kMiB, kHole);
    write_sparse(folder / "file", 30 * kMiB + 2 * kHole, runs);
    const Share share({(folder / "file").string()});
    std::vector<std::pair<std::uint64_t, std::uint64_t>> holes;
    std::uint64_t offset = 0;
    std::size_t looks = 0;
    while (offset < share.manifest->file_size(0)) {
        const auto data = share.files->next_data(0, offset);
        ASSERT_TRUE(data);
        if (data->begin > offset) {
            holes.emplace_back(offset, data->begin);
        }
        ASSERT_GT(data->end, offset);
        EXPECT_LE(data->end - data->begin, kSegmentBytes + 2 * kHole);
        offset = data->end;
        ++looks;
    }
    EXPECT_LE(looks, 5u);
    EXPECT_EQ(offset, share.manifest->file_size(0));
    const std::vector<std::pair<std::uint64_t, std::uint64_t>> large = {{20 * kMiB, 30 * kMiB}};
    EXPECT_EQ(holes, large);
}

TEST(SourceFiles, DifferOnlyInBlocksOfAReceiversHole) {
    constexpr std::uint64_t kBlock = 64 * 1024;
    constexpr std::uint64_t kSize = 300 * kMiB;
    const TemporaryFolder folder;
    write_sparse(folder / "file", kSize,
                 {{150 * kMiB + 5, 10}, {200 * kMiB - 1, 2}, {kSize - 1, 1}});
    const Share share({(folder / "file").string()});
    // The receiver has an older version, so its hash is of no bytes.
    const Have have{.index = 0,
                    .offset = kSize,
                    .hash_begin = kSize,
                    .hash = Blake3().finish(),
                    .validator = {0xff}};
    const auto answered = test::answer(share.files, have, {{.length = kSize}});
    EXPECT_TRUE(answered.same);
    EXPECT_EQ(answered.different, (std::vector<ByteRange>{{150 * kMiB, kBlock},
                                                          {200 * kMiB - kBlock, 2 * kBlock},
                                                          {kSize - kBlock, kBlock}}));
}

} // namespace
} // namespace thru::test

#include "source/segment_reader.h"

#include <map>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "source/share.h"
#include "support/segments.h"

namespace thru::test {
namespace {

TEST(SegmentReader, GivesPiecesOfFilesAndTexts) {
    const TemporaryFolder folder;
    write_file(folder / "file", "0123456789");
    Share share({(folder / "file").string()});
    share.add_items({{.text = "abcdefghij"}});
    const SegmentPlan of_file = {{0, 3, 4}};
    EXPECT_EQ(read_segment(share, of_file, 3), segment_stream(of_file, "3456"));
    const SegmentPlan of_text = {{1, 3, 4}};
    EXPECT_EQ(read_segment(share, of_text, 3), segment_stream(of_text, "defg"));
}

TEST(SegmentReader, FillsEveryChunkButTheLast) {
    const TemporaryFolder folder;
    write_file(folder / "file", test::noise(100'000, 1));
    const Share share({(folder / "file").string()});
    SegmentReader reader(share.files, {{0, 500, 99'000}});
    Bytes chunk(4096);
    std::uint64_t total = 0;
    while (!reader.finished()) {
        const auto got = reader.read(chunk);
        ASSERT_TRUE(got);
        total += *got;
        EXPECT_TRUE(*got == chunk.size() || reader.finished());
    }
    EXPECT_EQ(total, reader.stream_bytes());
    EXPECT_EQ(reader.read(chunk), 0u);
}

TEST(SegmentReader, GivesHundredsOfSmallFilesInChunksOfAnySize) {
    const TemporaryFolder folder;
    constexpr std::size_t kFiles = 300;
    std::map<std::string, std::string> contents;
    for (std::size_t file = 0; file < kFiles; ++file) {
        // Every ninth file is empty.
        const std::size_t size = file % 9 * 61;
        contents["set/" + std::to_string(file)] = test::noise(size, file);
    }
    for (const auto &[path, content] : contents) {
        write_file(folder / path, content);
    }
    Share share({(folder / "set").string()});
    share.add_items({{.text = "and a text"}});
    SegmentPlan plan;
    std::string data;
    for (std::size_t index = 1; index <= kFiles; ++index) {
        plan.push_back({index, 0, share.manifest->file_size(index)});
        data += contents.at(std::string(share.manifest->path(index)));
    }
    plan.push_back({kFiles + 1, 0, 10});
    data += "and a text";
    for (const std::size_t chunk : {1uz, 7uz, 100uz, 3'000uz, 20'000uz, 1'000'000uz}) {
        const auto stream = read_segment(share, plan, chunk);
        ASSERT_TRUE(stream);
        EXPECT_TRUE(*stream == segment_stream(plan, data)) << chunk;
    }
}

TEST(SegmentReader, NoticesChangesWhileItReads) {
    const TemporaryFolder folder;
    const auto path = folder / "file";
    for (const std::size_t new_size : {50'000uz, 100'000uz, 150'000uz}) {
        write_file(path, test::noise(100'000, 1));
        const Share share({path.string()});
        SegmentReader reader(share.files, {{0, 0, 100'000}});
        Bytes chunk(60'000);
        ASSERT_TRUE(reader.read(chunk));
        // If the size is the same, it is a rewrite in place that only the time reveals.
        std::filesystem::resize_file(path, new_size);
        test::make_old(path);
        const auto rest = reader.read(chunk);
        ASSERT_FALSE(rest);
        EXPECT_EQ(rest.error().index, 0u);
        EXPECT_EQ(rest.error().error.code, ErrorCode::SourceChanged);
    }
}

TEST(SegmentReader, NamesTheEntryThatFailed) {
    const TemporaryFolder folder;
    for (const char *name : {"a", "b", "c"}) {
        write_file(folder / name, "1234");
    }
    const Share share({(folder / "a").string(), (folder / "b").string(), (folder / "c").string()});
    std::filesystem::resize_file(folder / "b", 3);
    const auto stream = read_segment(share, {{0, 0, 4}, {1, 0, 4}, {2, 0, 4}});
    ASSERT_FALSE(stream);
    EXPECT_EQ(stream.error().index, 1u);
    EXPECT_EQ(stream.error().error.detail, "it became shorter");
}

TEST(SegmentReader, ReadsBeyondFourGigabytes) {
    constexpr std::uint64_t kSize = (4ULL << 30) + 10'000;
    const TemporaryFolder folder;
    write_file(folder / "sparse", "begin");
    std::filesystem::resize_file(folder / "sparse", kSize - 3);
    {
        std::FILE *file = std::fopen((folder / "sparse").string().c_str(), "ab");
        ASSERT_NE(file, nullptr);
        std::fputs("end", file);
        std::fclose(file);
    }
    const Share share({(folder / "sparse").string()});
    EXPECT_EQ(share.manifest->file_size(0), kSize);
    const SegmentPlan plan = {{0, kSize - 10, 10}};
    EXPECT_EQ(read_segment(share, plan), segment_stream(plan, std::string(7, '\0') + "end"));
}

} // namespace
} // namespace thru::test

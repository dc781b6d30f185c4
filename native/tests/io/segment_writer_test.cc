#include <algorithm>

#include <gtest/gtest.h>

#include "io/disk.h"
#include "io/local_transfer.h"
#include "transfer/manifests.h"

namespace thru {
namespace {

using test::file;
using test::manifest_of;
using test::segment_stream;
using test::snapshot;
using test::TemporaryFolder;
using test::write_segment;

using Tree = std::map<std::string, std::string>;

class SegmentWriterTest : public testing::Test {
protected:
    void open(std::initializer_list<ManifestEntry> entries) {
        folder_ = ReceiveFolder::open(target_.path().string(), manifest_of(entries)).value();
        EXPECT_TRUE(folder_->make_folders().empty());
    }
    Tree found() const { return snapshot(target_.path()); }

    TemporaryFolder target_;
    std::shared_ptr<ReceiveFolder> folder_;
};

TEST_F(SegmentWriterTest, NamesNothingBeforeTheHashIsRight) {
    open({file("a", 3), file("b", 0)});
    const Bytes stream = segment_stream({{0, 0, 3}, {1, 0, 0}}, "abc");
    for (std::size_t cut = 0; cut < 32; ++cut) {
        const auto written =
            write_segment(folder_, ByteView(stream).first(stream.size() - 32 + cut));
        ASSERT_TRUE(written.result);
        EXPECT_FALSE(written.writer->complete());
        EXPECT_FALSE(found().contains("a"));
        EXPECT_FALSE(found().contains("b"));
    }
    EXPECT_TRUE(found().empty());
    const auto written = write_segment(folder_, stream);
    EXPECT_TRUE(written.writer->complete());
    EXPECT_EQ(found(), (Tree{{"a", "abc"}, {"b", ""}}));
}

TEST_F(SegmentWriterTest, EndsTheTransferWhenAnyByteIsWrong) {
    open({file("a", 3), file("b", 4)});
    const Bytes stream = segment_stream({{0, 0, 3}, {1, 1, 2}}, "abcde");
    const std::size_t header = stream.size() - 5 - 32;
    for (std::size_t wrong = header; wrong < stream.size(); ++wrong) {
        Bytes changed = stream;
        changed[wrong] ^= 1;
        auto written = write_segment(folder_, changed, 3);
        ASSERT_FALSE(written.result);
        EXPECT_EQ(written.result.error().code, ErrorCode::HashMismatch);
        EXPECT_FALSE(written.writer->complete());
        EXPECT_EQ(written.writer->write({}).error().code, ErrorCode::HashMismatch);
    }
    folder_->discard_parts();
    EXPECT_TRUE(found().empty());
}

TEST_F(SegmentWriterTest, CoversTheHeaderWithTheHash) {
    open({file("a", 3), file("b", 3)});
    const Bytes stream = segment_stream({{0, 0, 3}}, "abc");
    Bytes other_header;
    encode_segment_header({{1, 0, 3}}, other_header);
    SegmentWriter writer(folder_, {{1, 0, 3}}, other_header);
    const auto result = writer.write(ByteView(stream).last(3 + 32));
    EXPECT_EQ(result.error().code, ErrorCode::HashMismatch);
}

TEST_F(SegmentWriterTest, RefusesBytesAfterTheEnd) {
    open({file("a", 3)});
    Bytes stream = segment_stream({{0, 0, 3}}, "abc");
    stream.push_back(0);
    EXPECT_EQ(write_segment(folder_, stream).result.error().code, ErrorCode::PeerProtocol);
    EXPECT_TRUE(found().empty());
    stream.pop_back();
    auto written = write_segment(folder_, stream);
    ASSERT_TRUE(written.result);
    const std::uint8_t late = 0;
    EXPECT_EQ(written.writer->write({&late, 1}).error().code, ErrorCode::PeerProtocol);
    EXPECT_EQ(found(), (Tree{{"a", "abc"}}));
}

TEST_F(SegmentWriterTest, DeletesWhatAnAbandonedSegmentLeft) {
    open({file("a", 3), file("b", 3), file("c", 9)});
    const Bytes stream = segment_stream({{0, 0, 3}, {1, 0, 3}, {2, 0, 4}}, "aaabbbcccc");
    const std::size_t header = stream.size() - 10 - 32;
    for (std::size_t data = 0; data <= 10; ++data) {
        auto written = write_segment(folder_, ByteView(stream).first(header + data));
        ASSERT_TRUE(written.result);
        written.writer.reset();
        EXPECT_LE(found().size(), 1u); // of the file in several segments
    }
    // The same entries again, while an old writer is not gone yet.
    const auto old = write_segment(folder_, ByteView(stream).first(header + 5));
    EXPECT_TRUE(write_segment(folder_, stream).writer->complete());
    EXPECT_EQ(test::read_file(target_ / "a"), "aaa");
    EXPECT_EQ(test::read_file(target_ / "b"), "bbb");
}

TEST_F(SegmentWriterTest, KeepsFilesOfAnotherWriterApart) {
    open({file("a", 3)});
    const Bytes stream = segment_stream({{0, 0, 3}}, "aaa");
    auto old = write_segment(folder_, ByteView(stream).first(stream.size() - 33));
    auto next = write_segment(folder_, ByteView(stream).first(stream.size() - 33));
    old.writer.reset();
    EXPECT_TRUE(next.writer->write(ByteView(stream).last(33)));
    EXPECT_TRUE(next.writer->complete());
    EXPECT_EQ(found(), (Tree{{"a", "aaa"}}));
}

TEST_F(SegmentWriterTest, GoesOnWithoutWhatItCannotWrite) {
    open({file("gone/a", 3), file("b", 3), file("gone/c", 9)});
    std::filesystem::remove(target_ / "gone");
    const auto written =
        write_segment(folder_, segment_stream({{0, 0, 3}, {1, 0, 3}, {2, 0, 4}}, "aaabbbcccc"), 2);
    ASSERT_TRUE(written.result);
    EXPECT_TRUE(written.writer->complete());
    ASSERT_EQ(written.writer->failures().size(), 2u);
    EXPECT_EQ(written.writer->failures()[0].index, 0u);
    EXPECT_EQ(written.writer->failures()[1].index, 2u);
    EXPECT_EQ(written.writer->failures()[0].error.code, ErrorCode::TargetNotWritable);
    EXPECT_NE(written.writer->failures()[0].error.cause, 0);
    EXPECT_EQ(found(), (Tree{{"b", "bbb"}}));
}

TEST_F(SegmentWriterTest, WritesASegmentOfEmptyFilesOnly) {
    open({file("a", 0), file("b", 0)});
    const auto written = write_segment(folder_, segment_stream({{0, 0, 0}, {1, 0, 0}}, ""));
    EXPECT_TRUE(written.writer->complete());
    EXPECT_EQ(found(), (Tree{{"a", ""}, {"b", ""}}));
}

} // namespace
} // namespace thru

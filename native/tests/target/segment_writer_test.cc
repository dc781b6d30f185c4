#include <algorithm>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "target/local_transfer.h"
#include "transfer/manifests.h"

namespace thru::test {
namespace {

using Tree = std::map<std::string, std::string>;

class SegmentWriterTest : public testing::Test {
protected:
    void open(std::initializer_list<ManifestEntry> entries) {
        folder_ = test::open_in(target_.path(), manifest_of(entries), {.resume = false});
    }
    Tree found() const { return snapshot(target_.path()); }

    TemporaryFolder target_;
    std::shared_ptr<ReceiveFolder> folder_;
};

TEST_F(SegmentWriterTest, VerifiesNothingBeforeTheHashIsWhole) {
    open({file("a", 3), file("b", 0)});
    const Bytes stream = segment_stream({{0, 0, 3}, {1, 0, 0}}, "abc");
    for (std::size_t cut = 0; cut < 32; ++cut) {
        const auto written =
            write_segment(folder_, ByteView(stream).first(stream.size() - 32 + cut));
        ASSERT_TRUE(written.result);
        EXPECT_EQ(written.writer->outcome(), SegmentOutcome::Unfinished);
    }
    EXPECT_TRUE(found().empty());
    EXPECT_TRUE(write_segment(folder_, stream).whole());
    EXPECT_FALSE(found().contains("a"));
    folder_->add_complete({0, 1});
    EXPECT_EQ(folder_->commit().published.size(), 2u);
    EXPECT_EQ(found(), (Tree{{"a", "abc"}, {"b", ""}}));
}

TEST_F(SegmentWriterTest, TakesNothingWhenAnyByteIsWrong) {
    open({file("a", 3), file("b", 4)});
    for (const SegmentPlan &plan : {SegmentPlan{{0, 0, 3}}, SegmentPlan{{1, 1, 2}}}) {
        const Bytes stream =
            segment_stream(plan, std::string_view("abc").substr(0, plan[0].length));
        const std::size_t header = stream.size() - plan[0].length - 32;
        for (std::size_t wrong = header; wrong < stream.size(); ++wrong) {
            Bytes changed = stream;
            changed[wrong] ^= 1;
            auto written = write_segment(folder_, changed, 3);
            ASSERT_TRUE(written.result);
            EXPECT_EQ(written.writer->outcome(), SegmentOutcome::Damaged);
            EXPECT_TRUE(written.writer->write(as_bytes("more")));
        }
        EXPECT_TRUE(write_segment(folder_, stream).whole());
    }
    folder_->suspend();
    EXPECT_TRUE(found().empty());
}

TEST_F(SegmentWriterTest, CoversTheHeaderWithTheHash) {
    open({file("a", 3), file("b", 3)});
    const Bytes stream = segment_stream({{0, 0, 3}}, "abc");
    Bytes other_header;
    encode_segment_header({{1, 0, 3}}, other_header);
    SegmentWriter writer(folder_, {{1, 0, 3}}, other_header);
    EXPECT_TRUE(writer.write(ByteView(stream).last(3 + 32)));
    EXPECT_EQ(writer.outcome(), SegmentOutcome::Damaged);
}

TEST_F(SegmentWriterTest, RefusesBytesAfterTheEnd) {
    open({file("a", 3)});
    Bytes stream = segment_stream({{0, 0, 3}}, "abc");
    stream.push_back(0);
    EXPECT_EQ(write_segment(folder_, stream).result.error().code, ErrorCode::PeerProtocol);
    EXPECT_TRUE(found().empty());
    stream.pop_back();
    auto written = write_segment(folder_, stream);
    ASSERT_TRUE(written.whole());
    const std::uint8_t late = 0;
    EXPECT_EQ(written.writer->write({&late, 1}).error().code, ErrorCode::PeerProtocol);
}

TEST_F(SegmentWriterTest, DeletesWhatAnAbandonedSegmentLeft) {
    open({file("a", 3), file("b", 3)});
    const Bytes stream = segment_stream({{0, 0, 3}, {1, 0, 3}}, "aaabbb");
    for (std::size_t cut = 32; cut <= 32 + 6; ++cut) {
        auto written = write_segment(folder_, ByteView(stream).first(stream.size() - cut));
        ASSERT_TRUE(written.result);
        written.writer.reset();
        EXPECT_TRUE(found().empty());
    }
    // Writes the same entries again while an old writer still exists.
    const auto old = write_segment(folder_, ByteView(stream).first(stream.size() - 34));
    EXPECT_EQ(test::receive(folder_, {{0, 0, 3}, {1, 0, 3}}, "aaabbb").published.size(), 2u);
    EXPECT_EQ(test::read_file(target_ / "a"), "aaa");
    EXPECT_EQ(test::read_file(target_ / "b"), "bbb");
}

TEST_F(SegmentWriterTest, MakesFoldersThatAreGoneAgain) {
    open({file("gone/a", 3), file("b", 3)});
    std::filesystem::remove(target_ / "gone");
    EXPECT_TRUE(test::receive(folder_, {{0, 0, 3}, {1, 0, 3}}, "aaabbb").failures.empty());
    EXPECT_EQ(found(), (Tree{{"gone", "(folder)"}, {"gone/a", "aaa"}, {"b", "bbb"}}));
}

TEST_F(SegmentWriterTest, ContinuesWithoutWhatItCannotWrite) {
    open({file("gone/a", 3), file("b", 3), file("gone/c", 9)});
    std::filesystem::remove(target_ / "gone");
    test::write_file(target_ / "gone", "a file");
    for (const SegmentPlan &plan : {SegmentPlan{{0, 0, 3}, {1, 0, 3}}, SegmentPlan{{2, 0, 6}}}) {
        const auto written = write_segment(folder_, segment_stream(plan, "aaabbb"), 2);
        ASSERT_TRUE(written.result);
        EXPECT_EQ(written.writer->outcome(), SegmentOutcome::Verified);
        ASSERT_EQ(written.writer->failures().size(), 1u);
        EXPECT_EQ(written.writer->failures()[0].index, plan[0].index);
        EXPECT_EQ(written.writer->failures()[0].error.code, ErrorCode::TargetNotWritable);
        EXPECT_NE(written.writer->failures()[0].error.cause, 0);
    }
    folder_->add_complete({1});
    EXPECT_EQ(folder_->commit().published.size(), 1u);
    EXPECT_EQ(found(), (Tree{{"gone", "a file"}, {"b", "bbb"}}));
}

TEST_F(SegmentWriterTest, HandsOverTextsAndWritesNoneOfThem) {
    ManifestEntry text{.text = true, .path = "Note", .size = 5, .mtime_ns = 1};
    open({text, file("b", 3)});
    auto written = write_segment(folder_, segment_stream({{0, 0, 5}, {1, 0, 3}}, "hellobbb"), 2);
    ASSERT_TRUE(written.whole());
    const auto texts = written.writer->take_texts();
    ASSERT_EQ(texts.size(), 1u);
    EXPECT_EQ(texts[0].index, 0u);
    EXPECT_EQ(texts[0].text, "hello");
    folder_->add_complete({0, 1});
    EXPECT_EQ(folder_->commit().published.size(), 1u);
    EXPECT_EQ(found(), (Tree{{"b", "bbb"}}));
}

TEST_F(SegmentWriterTest, DropsWhatIsNotWanted) {
    open({file("a", 3), file("b", 3), file("c", 9)});
    const Bytes both = segment_stream({{0, 0, 3}, {1, 0, 3}}, "aaabbb");
    auto small = write_segment(folder_, ByteView(both).first(both.size() - 32));
    const Bytes piece = segment_stream({{2, 0, 6}}, "cccccc");
    auto large = write_segment(folder_, ByteView(piece).first(piece.size() - 32));
    folder_->drop({{0, 1}, {2, 1}});
    EXPECT_TRUE(small.writer->write(ByteView(both).last(32)));
    EXPECT_TRUE(large.writer->write(ByteView(piece).last(32)));
    folder_->add_complete({1});
    EXPECT_EQ(folder_->commit().published.size(), 1u);
    EXPECT_EQ(found(), (Tree{{"b", "bbb"}}));
    folder_->want({{0, 1}});
    EXPECT_EQ(test::receive(folder_, {{0, 0, 3}}, "AAA").published.size(), 1u);
    EXPECT_EQ(found(), (Tree{{"a", "AAA"}, {"b", "bbb"}}));
}

} // namespace
} // namespace thru::test

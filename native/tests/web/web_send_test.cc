#include "web/web_send.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "transfer/manifests.h"
#include "web/kept_page.h"
#include "web/web_requester.h"

namespace thru {
namespace {

constexpr std::uint64_t kSentBytes = (20ULL << 20) + 7;

/// Both ends, and the server and the stream between them.
class WebSendTest : public ::testing::Test {
protected:
    void begin(const std::string &code = "4821-apple-kayak-onion") {
        auto opened = WebSend::open(code, "Page", {.share = {1}, .files = {2}}, page_, now_);
        ASSERT_TRUE(opened.has_value()) << opened.error().detail;
        send_ = std::move(*opened);
    }

    void offer(const std::vector<ManifestEntry> &entries) {
        for (const auto &entry : entries) {
            ASSERT_TRUE(send_->add(entry).has_value());
        }
        send_->offer(now_);
    }

    /// Runs both ends until `done`, or until nothing more can happen within a minute.
    template <class Done> bool run_until(Done done) {
        const auto end = now_ + 60 * kSecond;
        while (!done() && now_ < end) {
            if (!exchange()) {
                now_ = std::min(std::max(now_ + kMicrosecond,
                                         std::min(send_->deadline(), requester_->deadline())),
                                end);
            }
        }
        return done();
    }

    /// Carries what both sides have to say; false if that was nothing.
    bool exchange() {
        bool moved = false;
        for (const auto &payload : requester_->take_payloads()) {
            send_->on_signal(payload, now_);
            moved = true;
        }
        for (const auto &payload : std::exchange(page_.payloads, {})) {
            requester_->on_signal(payload, now_);
            moved = true;
        }
        if (requester_->paired() && !std::exchange(stream_ready_, true)) {
            send_->on_stream_ready(now_);
        }
        requester_->service(now_);
        if (const auto bytes = requester_->take_output(); !bytes.empty()) {
            send_->on_bytes(bytes, now_);
            moved = true;
        }
        send_->service(now_);
        if (const auto bytes = send_->take_output(); !bytes.empty()) {
            sent_ += bytes.size();
            requester_->on_bytes(bytes, now_);
            moved = true;
        }
        return answer_reads() || moved;
    }

    /// Answers reads as the page's files would; false if there were none.
    bool answer_reads() {
        most_reads_ = std::max(most_reads_, page_.reads.size());
        const bool any = !page_.reads.empty() && reads_;
        while (!page_.reads.empty() && reads_) {
            const auto read = page_.reads.front();
            page_.reads.pop_front();
            read_[read.index] += read.length;
            if (const auto failing = failing_.find(read.index);
                failing != failing_.end() && read.offset + read.length > failing->second) {
                send_->on_read_failed(ErrorCode::SourceChanged, now_);
            } else {
                send_->on_read(sim::content_of(read.index, read.offset, read.length), now_);
            }
        }
        return any;
    }

    /// A new attempt at a requester with these choices.
    void restart(ReceiverChoices choices) {
        requester_ =
            std::make_unique<test::WebRequester>("4821", "apple-kayak-onion", std::move(choices));
        page_ = {};
        stream_ready_ = false;
        read_.clear();
        sent_ = 0;
    }

    bool reach_end() {
        return run_until([this] { return page_.over; });
    }
    bool connect() {
        return run_until([this] { return !page_.peer.empty() || page_.over; }) && !page_.over;
    }

    Timestamp now_ = kSecond;
    test::KeptPage page_;
    std::unique_ptr<test::WebRequester> requester_ =
        std::make_unique<test::WebRequester>("4821", "apple-kayak-onion");
    std::unique_ptr<WebSend> send_;
    bool stream_ready_ = false;
    bool reads_ = true;
    /// Files that fail when they are read beyond an offset.
    std::map<std::uint64_t, std::uint64_t> failing_;
    std::map<std::uint64_t, std::uint64_t> read_;
    std::size_t most_reads_ = 0;
    std::uint64_t sent_ = 0;
};

TEST_F(WebSendTest, SendsEveryByteOfWhatItOffers) {
    begin();
    ASSERT_TRUE(connect());
    EXPECT_EQ(page_.peer, "Jonas");
    EXPECT_EQ(page_.safety, requester_->keys().safety);
    offer({{.kind = EntryKind::Folder, .path = "src"},
           test::file("src/a.txt", 5),
           test::file("src/empty", 0),
           test::file("src/large.bin", kSentBytes)});
    ASSERT_TRUE(reach_end());
    EXPECT_FALSE(page_.error) << page_.error->detail;
    EXPECT_TRUE(page_.accepted);
    ASSERT_TRUE(requester_->end().finished());
    EXPECT_EQ(requester_->end().finished()->bytes, kSentBytes + 5);
    EXPECT_EQ(requester_->end().finished()->problems, 0U);
    EXPECT_EQ(send_->totals().files, 3U);
    EXPECT_EQ(send_->totals().bytes, kSentBytes + 5);
    EXPECT_EQ(send_->totals().total_bytes, kSentBytes + 5);
}

TEST_F(WebSendTest, SendsManySmallFilesInFewSegments) {
    begin();
    std::vector<ManifestEntry> files;
    for (int number = 0; number < 3000; ++number) {
        files.push_back(test::file(std::to_string(number), 1000));
    }
    offer(files);
    ASSERT_TRUE(reach_end());
    EXPECT_FALSE(page_.error);
    EXPECT_EQ(requester_->end().finished()->files, 3000U);
    EXPECT_LE(most_reads_, 64U);
}

TEST_F(WebSendTest, ContinuesWithoutAFileThatChanged) {
    begin();
    failing_ = {{1, 9 << 20}};
    offer({test::file("a", 1000), test::file("changed", kSentBytes), test::file("z", 1000)});
    ASSERT_TRUE(reach_end());
    EXPECT_FALSE(page_.error);
    EXPECT_EQ(page_.failed, (std::map<std::uint64_t, ErrorCode>{{1, ErrorCode::SourceChanged}}));
    EXPECT_EQ(requester_->end().finished()->files, 2U);
    EXPECT_EQ(requester_->end().finished()->problems, 1U);
}

TEST_F(WebSendTest, SendsTheOtherFilesOfASegmentInWhichOneFailed) {
    begin();
    failing_ = {{1, 0}};
    offer({test::file("a", 1000), test::file("gone", 1000), test::file("z", 1000)});
    ASSERT_TRUE(reach_end());
    EXPECT_FALSE(page_.error);
    EXPECT_EQ(page_.failed.size(), 1U);
    EXPECT_EQ(requester_->end().finished()->files, 2U);
}

/// A claim of the first 16 MiB of entry 0, of which the last half is hashed.
Have web_claim_of(const WireId &validator) {
    const auto offset = std::uint64_t{16} << 20;
    Blake3 hasher;
    hasher.update(sim::content_of(0, offset / 2, offset / 2));
    return {.index = 0,
            .offset = offset,
            .hash_begin = offset / 2,
            .hash = hasher.finish(),
            .validator = validator};
}

TEST_F(WebSendTest, ContinuesAtTheClaimedOffsetOfAFileThatThePageStillHas) {
    begin();
    offer({test::file("large", kSentBytes)});
    ASSERT_TRUE(reach_end());
    restart({.have = {web_claim_of(requester_->end().validators().at(0))}});
    begin();
    offer({test::file("large", kSentBytes)});
    ASSERT_TRUE(reach_end());
    EXPECT_FALSE(page_.error);
    EXPECT_EQ(requester_->end().finished()->files, 1U);
    EXPECT_EQ(read_[0], (8U << 20) + kSentBytes - (16U << 20));
    EXPECT_LT(sent_, 6U << 20);
}

TEST_F(WebSendTest, ComparesEveryClaimedByteOfAFileThatWasChosenAgain) {
    const auto have = web_claim_of(WireId{9});
    std::vector<Extents::Run> runs;
    for (std::uint64_t offset = 0; offset < have.offset; offset += kSegmentBytes) {
        Blake3 hasher;
        hasher.update(sim::content_of(offset == 0 ? 7 : 0, offset, kSegmentBytes));
        runs.push_back({.length = kSegmentBytes, .hash = shortened(hasher.finish())});
    }
    restart({.have = {have}, .extents = {{0, runs}}});
    begin();
    offer({test::file("large", kSentBytes)});
    ASSERT_TRUE(reach_end());
    EXPECT_FALSE(page_.error);
    EXPECT_EQ(requester_->end().finished()->files, 1U);
    // The first segment differs; it and the rest are sent.
    EXPECT_GT(sent_, kSentBytes - (8U << 20));
    EXPECT_LT(sent_, kSentBytes);
}

TEST_F(WebSendTest, SendsOnlyTheDifferencesHoweverManyThereAre) {
    const auto have = web_claim_of(WireId{9});
    constexpr std::uint64_t kRun = 4096;
    std::vector<Extents::Run> runs;
    for (std::uint64_t offset = 0; offset < have.offset; offset += kRun) {
        const bool differs = runs.size() % 2 == 0;
        Blake3 hasher;
        hasher.update(sim::content_of(differs ? 7 : 0, offset, kRun));
        runs.push_back({.length = kRun, .hash = shortened(hasher.finish())});
    }
    ASSERT_GT(runs.size() / 2, kMaxDifferent);
    restart({.have = {have}, .extents = {{0, runs}}});
    begin();
    offer({test::file("large", kSentBytes)});
    ASSERT_TRUE(reach_end());
    EXPECT_FALSE(page_.error);
    EXPECT_EQ(requester_->end().finished()->files, 1U);
    // All claimed bytes are read once, and those that differ once more.
    EXPECT_EQ(read_[0], kSentBytes + have.offset / 2);
}

TEST_F(WebSendTest, HoldsNoMoreThanItsLimitWhileTheRequesterReadsNothing) {
    begin();
    offer({test::file("huge", 4 * kConnectionWindow)});
    ASSERT_TRUE(run_until([this] { return page_.accepted; }));
    requester_->hold();
    const auto end = now_ + 20 * kSecond;
    while (now_ < end && !page_.over) {
        exchange();
        now_ += kMillisecond;
    }
    EXPECT_FALSE(page_.over);
    EXPECT_GT(read_[0], 0U);
    EXPECT_LT(read_[0], std::uint64_t{80} << 20);
}

TEST_F(WebSendTest, AsksForNoMoreThanItsLimitWhileThePageReadsNothing) {
    begin();
    reads_ = false;
    offer({test::file("huge", kConnectionWindow)});
    ASSERT_TRUE(run_until([this] { return page_.reads.size() >= 4; }));
    const auto end = now_ + 10 * kSecond;
    while (now_ < end) {
        exchange();
        now_ += 10 * kMillisecond;
    }
    EXPECT_FALSE(page_.over);
    EXPECT_LE(page_.reads.size(), 4U);
}

TEST_F(WebSendTest, SendsNothingBeforeTheOtherSideHasTheWords) {
    requester_ = std::make_unique<test::WebRequester>("4821", "apple-kayak-shovel");
    begin();
    offer({test::file("a", 1000)});
    ASSERT_TRUE(reach_end());
    ASSERT_TRUE(page_.error);
    EXPECT_EQ(page_.error->code, ErrorCode::CodeMismatch);
    EXPECT_FALSE(page_.connected);
    EXPECT_TRUE(read_.empty());
}

TEST_F(WebSendTest, EndsIfTheOtherSideDoesNotBindTheConnectionToThePairing) {
    requester_->bind_wrongly();
    begin();
    offer({test::file("a", 1000)});
    ASSERT_TRUE(reach_end());
    ASSERT_TRUE(page_.error);
    EXPECT_EQ(page_.error->code, ErrorCode::PeerIdentity);
    EXPECT_FALSE(page_.connected);
    EXPECT_TRUE(read_.empty());
}

TEST_F(WebSendTest, PausesAndResumes) {
    begin();
    offer({test::file("large", kSentBytes)});
    ASSERT_TRUE(run_until([this] { return read_[0] > 4U << 20; }));
    send_->set_paused(true, now_);
    ASSERT_TRUE(run_until([this] { return requester_->end().paused(); }));
    EXPECT_FALSE(page_.over);
    EXPECT_LT(read_[0], kSentBytes);
    send_->set_paused(false, now_);
    ASSERT_TRUE(reach_end());
    EXPECT_FALSE(page_.error);
    EXPECT_EQ(requester_->end().finished()->bytes, kSentBytes);
}

TEST_F(WebSendTest, TellsTheRequesterWhyThePageEndsIt) {
    begin();
    ASSERT_TRUE(connect());
    send_->end({ErrorCode::Cancelled, 0, "by a person"}, now_);
    ASSERT_TRUE(reach_end());
    EXPECT_EQ(page_.error->code, ErrorCode::Cancelled);
    ASSERT_TRUE(run_until([this] { return requester_->connection()->closed().has_value(); }));
    ASSERT_TRUE(requester_->connection()->closed()->error);
    EXPECT_EQ(requester_->connection()->closed()->error->code, ErrorCode::Cancelled);
}

} // namespace
} // namespace thru

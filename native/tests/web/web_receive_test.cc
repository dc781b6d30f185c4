#include "web/web_receive.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "web/kept_page.h"
#include "web/web_sender.h"

namespace thru {
namespace {

constexpr std::uint64_t kLargeBytes = (20ULL << 20) + 7;

std::shared_ptr<ManifestTable> some_files() {
    auto manifest = std::make_shared<ManifestTable>();
    const auto add = [&](const char *path, EntryKind kind, std::uint64_t size) {
        EXPECT_TRUE(manifest->add({.kind = kind, .path = path, .size = size}).has_value());
    };
    add("src", EntryKind::Folder, 0);
    add("src/a.txt", EntryKind::File, 5);
    add("src/empty", EntryKind::File, 0);
    add("src/large.bin", EntryKind::File, kLargeBytes);
    return manifest;
}

/// Both ends, and the server and the stream between them.
class WebReceiveTest : public ::testing::Test {
protected:
    void begin(const std::string &code = "4821-apple-kayak-onion") {
        auto opened = WebReceive::open(code, "Page", {}, page_, now_);
        ASSERT_TRUE(opened.has_value()) << opened.error().detail;
        receive_ = std::move(*opened);
    }

    /// Runs both ends until `done`, or until nothing more can happen within a minute.
    template <class Done> bool run_until(Done done) {
        const auto end = now_ + 60 * kSecond;
        while (!done() && now_ < end) {
            if (!exchange()) {
                now_ = std::min(std::max(now_ + kMicrosecond,
                                         std::min(receive_->deadline(), sender_.deadline())),
                                end);
            }
        }
        return done();
    }

    /// Carries what both sides have to say; false if that was nothing.
    bool exchange() {
        bool moved = false;
        for (const auto &payload : std::exchange(page_.payloads, {})) {
            sender_.on_signal(payload);
            moved = true;
        }
        for (const auto &payload : sender_.take_payloads()) {
            receive_->on_signal(payload, now_);
            moved = true;
        }
        if (sender_.paired() && !stream_ready_) {
            stream_ready_ = true;
            receive_->on_stream_ready(now_);
        }
        receive_->service(now_);
        if (const auto bytes = receive_->take_output(); !bytes.empty()) {
            sender_.on_bytes(bytes, now_);
            moved = true;
        }
        sender_.service(now_);
        if (const auto bytes = sender_.take_output(); !bytes.empty()) {
            // A stream delivers bytes in pieces.
            for (ByteView rest{bytes}; !rest.empty();) {
                const auto part = rest.first(std::min<std::size_t>(rest.size(), 1000));
                receive_->on_bytes(part, now_, second_);
                rest = rest.subspan(part.size());
            }
            second_ = alternates_ && !second_;
            moved = true;
        }
        if (saves_) {
            for (const auto segment : std::exchange(page_.unsaved, {})) {
                receive_->saved(segment, now_);
                moved = true;
            }
        }
        return moved;
    }

    bool reach_offer() {
        return run_until([this] { return page_.offered > 0 || page_.over; }) && !page_.over;
    }
    bool reach_end() {
        return run_until([this] { return page_.over; });
    }

    Timestamp now_ = kSecond;
    test::KeptPage page_;
    std::shared_ptr<ManifestTable> manifest_ = some_files();
    test::WebSender sender_{"4821", "apple-kayak-onion", manifest_};
    std::unique_ptr<WebReceive> receive_;
    bool stream_ready_ = false;
    bool saves_ = true;
    /// The sender's bursts arrive by two streams in turn.
    bool alternates_ = false;
    bool second_ = false;
};

TEST_F(WebReceiveTest, KeepsEveryByteOfWhatIsOffered) {
    begin();
    ASSERT_TRUE(reach_offer());
    EXPECT_EQ(page_.peer, "Mina");
    EXPECT_EQ(page_.safety, sender_.keys().safety);
    EXPECT_EQ(page_.entries.size(), 4U);
    receive_->accept({}, now_);
    ASSERT_TRUE(reach_end());
    EXPECT_FALSE(page_.error) << page_.error->detail;
    EXPECT_EQ(page_.whole, (std::set<std::uint64_t>{1, 2, 3}));
    EXPECT_EQ(page_.files[1], sim::content_of(1, 0, 5));
    EXPECT_EQ(page_.files[3], sim::content_of(3, 0, kLargeBytes));
    ASSERT_TRUE(sender_.end().finished());
    EXPECT_EQ(sender_.end().finished()->bytes, kLargeBytes + 5);
}

TEST_F(WebReceiveTest, TakesTheDatagramsOfTwoStreams) {
    alternates_ = true;
    begin();
    ASSERT_TRUE(reach_offer());
    receive_->accept({}, now_);
    ASSERT_TRUE(reach_end());
    EXPECT_FALSE(page_.error) << page_.error->detail;
    EXPECT_EQ(page_.files[3], sim::content_of(3, 0, kLargeBytes));
}

TEST_F(WebReceiveTest, RequestsNothingThatIsUnwanted) {
    begin();
    ASSERT_TRUE(reach_offer());
    receive_->accept({.unwanted = {{.first = 3, .count = 1}}}, now_);
    ASSERT_TRUE(reach_end());
    EXPECT_FALSE(page_.error);
    EXPECT_EQ(page_.whole, (std::set<std::uint64_t>{1, 2}));
    EXPECT_FALSE(page_.files.contains(3));
}

TEST_F(WebReceiveTest, GivesOutNoByteOfASegmentWithAWrongHash) {
    begin();
    ASSERT_TRUE(reach_offer());
    sender_.end().damage_every(1);
    receive_->accept({}, now_);
    ASSERT_TRUE(reach_end());
    EXPECT_TRUE(page_.files.empty());
    EXPECT_TRUE(page_.whole.empty());
    // Each was requested a second time before it failed.
    EXPECT_EQ(page_.failed.size(), 3U);
    EXPECT_EQ(page_.failed[3], ErrorCode::HashMismatch);
}

TEST_F(WebReceiveTest, HoldsNoMoreThanTheWindowWhileThePageSavesNothing) {
    manifest_ = std::make_shared<ManifestTable>();
    ASSERT_TRUE(manifest_->add({.path = "huge", .size = 4 * kConnectionWindow}).has_value());
    test::WebSender sender("4821", "apple-kayak-onion", manifest_);
    begin();
    saves_ = false;
    std::uint64_t arrived = 0;
    const auto end = now_ + 20 * kSecond;
    bool accepted = false;
    while (now_ < end && !page_.over) {
        for (const auto &payload : std::exchange(page_.payloads, {})) {
            sender.on_signal(payload);
        }
        for (const auto &payload : sender.take_payloads()) {
            receive_->on_signal(payload, now_);
        }
        if (sender.paired() && !std::exchange(stream_ready_, true)) {
            receive_->on_stream_ready(now_);
        }
        if (page_.offered > 0 && !std::exchange(accepted, true)) {
            receive_->accept({}, now_);
        }
        receive_->service(now_);
        if (const auto bytes = receive_->take_output(); !bytes.empty()) {
            sender.on_bytes(bytes, now_);
        }
        sender.service(now_);
        const auto bytes = sender.take_output();
        arrived += bytes.size();
        receive_->on_bytes(bytes, now_);
        now_ += kMillisecond;
    }
    EXPECT_FALSE(page_.over);
    EXPECT_GT(arrived, kConnectionWindow / 2);
    EXPECT_LT(arrived, kConnectionWindow + kConnectionWindow / 4);
}

TEST_F(WebReceiveTest, EndsWithWrongWords) {
    begin("4821-apple-kayak-shovel");
    ASSERT_TRUE(reach_end());
    ASSERT_TRUE(page_.error);
    EXPECT_EQ(page_.error->code, ErrorCode::CodeMismatch);
    EXPECT_FALSE(page_.connected);
}

TEST_F(WebReceiveTest, EndsIfTheSenderDoesNotBindTheConnectionToThePairing) {
    begin();
    sender_.bind_wrongly();
    ASSERT_TRUE(reach_end());
    ASSERT_TRUE(page_.error);
    EXPECT_EQ(page_.error->code, ErrorCode::PeerIdentity);
    EXPECT_FALSE(page_.connected);
}

TEST_F(WebReceiveTest, RefusesACodeInAnotherForm) {
    const auto opened = WebReceive::open("4821-apple-kayak", "Page", {}, page_, now_);
    ASSERT_FALSE(opened.has_value());
    EXPECT_EQ(opened.error().code, ErrorCode::BadCode);
}

TEST_F(WebReceiveTest, TellsTheSenderWhyThePageEndsIt) {
    begin();
    ASSERT_TRUE(reach_offer());
    receive_->accept({}, now_);
    receive_->end({ErrorCode::DiskFull, 0, "no room"}, now_);
    ASSERT_TRUE(reach_end());
    ASSERT_TRUE(page_.error);
    EXPECT_EQ(page_.error->code, ErrorCode::DiskFull);
    ASSERT_TRUE(run_until([this] { return sender_.connection()->closed().has_value(); }));
    ASSERT_TRUE(sender_.connection()->closed()->error);
    EXPECT_EQ(sender_.connection()->closed()->error->code, ErrorCode::DiskFull);
}

TEST_F(WebReceiveTest, EndsWhenTheStreamEnds) {
    begin();
    ASSERT_TRUE(reach_offer());
    receive_->on_stream_over(now_);
    receive_->service(now_);
    ASSERT_TRUE(page_.over);
    EXPECT_EQ(page_.error->code, ErrorCode::PeerGone);
}

TEST_F(WebReceiveTest, EndsWithoutAnAnswerInTime) {
    begin();
    while (!page_.over && receive_->deadline() != kNever) {
        now_ = std::max(now_, receive_->deadline());
        receive_->service(now_);
    }
    ASSERT_TRUE(page_.error);
    EXPECT_EQ(page_.error->code, ErrorCode::PeerGone);
    EXPECT_EQ(now_, 46 * kSecond);
}

} // namespace
} // namespace thru

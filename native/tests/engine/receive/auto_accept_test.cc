// Receiving before the user has seen the offer, within the allowed limits.
#include <filesystem>

#include <gtest/gtest.h>

#include "engine/engine_pair.h"
#include "engine/hostile/hostile_messages.h"
#include "engine/hostile/hostile_sender.h"

namespace thru {
namespace {

constexpr AutoAcceptLimit kAllowed{.max_bytes = 10};

void auto_accept(HostileSenderTest &evil) {
    evil.receiver.post(
        Accept{HostileSenderTest::kReceive, evil.target().string(), {}, {}, kAllowed});
}

/// Offers `grown` after a harmless file was accepted.
void expect_end_by_growth(const ManifestEntry &grown) {
    HostileSenderTest evil;
    evil.offer({file("a.txt")});
    evil.receiver.wait_for<OfferEvent>();
    auto_accept(evil);
    evil.wait_for<Request>();
    evil.segment({{0, 0, 4}}, "1234");
    // Both arrive within the interval in which changes are not reported.
    evil.grow({file("b.txt", 1)});
    evil.grow({grown});
    EXPECT_EQ(evil.receiver.wait_for<FailedEvent>().error.code, ErrorCode::Undecided);
    EXPECT_EQ(evil.wait_for_end(), ErrorCode::Undecided);
    evil.receiver.close();
    EXPECT_FALSE(std::filesystem::exists(evil.target() / grown.path));
}

TEST(AutoAccept, EndsWhenTheOfferGrowsByANameWithADot) {
    expect_end_by_growth(file(".profile", 0));
}

TEST(AutoAccept, EndsWhenTheOfferGrowsByANameWithADotInAFolder) {
    expect_end_by_growth(file("project/.envrc", 0));
}

TEST(AutoAccept, EndsWhenTheOfferGrowsBeyondWhatWasAllowed) {
    expect_end_by_growth(file("large.bin", 6));
}

TEST(AutoAccept, WritesNothingOfAnOfferThatIsTooMuchFromTheStart) {
    for (const auto &entry :
         {file(".profile", 1), file("project/.envrc", 1), file("large.bin", 11)}) {
        HostileSenderTest evil;
        evil.offer({entry});
        evil.receiver.wait_for<OfferEvent>();
        auto_accept(evil);
        EXPECT_EQ(evil.receiver.wait_for<FailedEvent>().error.code, ErrorCode::Undecided);
        evil.receiver.close();
        EXPECT_FALSE(std::filesystem::exists(evil.target()));
    }
}

TEST(AutoAccept, OfWhatIsAllowedIsComplete) {
    EnginePair pair;
    pair.write_source("a.bin", 10);
    pair.start({pair.source().string()});
    EXPECT_FALSE(pair.receiver.wait_for<OfferEvent>().dot_names);
    pair.receiver.post(Accept{EnginePair::kReceive, pair.target().string(), {}, {}, kAllowed});
    EXPECT_EQ(pair.receiver.wait_for<FinishedEvent>().files, 1U);
}

TEST(AutoAccept, LeavingTheOfferToAPersonIsReportedToTheSender) {
    EnginePair pair;
    pair.write_source("a.bin", 1000);
    pair.start({pair.source().string()});
    pair.receiver.wait_for<OfferEvent>();
    pair.receiver.post(Refuse{EnginePair::kReceive, ErrorCode::Undecided});
    EXPECT_EQ(pair.sender.wait_for<FailedEvent>().error.code, ErrorCode::Undecided);
    EXPECT_EQ(pair.receiver.wait_for<FailedEvent>().error.code, ErrorCode::Undecided);
    EXPECT_FALSE(std::filesystem::exists(pair.target()));
}

TEST(AutoAccept, TheSenderHearsWhyAnOfferIsRefusedAlsoWhenTheSessionEndsAtOnce) {
    EnginePair pair;
    pair.write_source("a.bin", 1000);
    pair.start({pair.source().string()});
    pair.receiver.wait_for<OfferEvent>();
    pair.receiver.post(Refuse{EnginePair::kReceive, ErrorCode::DiskFull});
    pair.receiver.post(EndSession{EnginePair::kReceive});
    EXPECT_EQ(pair.sender.wait_for<FailedEvent>().error.code, ErrorCode::DiskFull);
}

} // namespace
} // namespace thru

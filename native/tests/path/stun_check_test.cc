#include "path/stun_check.h"

#include <gtest/gtest.h>

namespace thru {
namespace {

const IceCredentials kAskersOwn{.ufrag = "00000001",
                                .pwd = SecretText("00112233445566778899aabbccddeeff")};
const IceCredentials kAnswerersOwn{.ufrag = "00000002",
                                   .pwd = SecretText("ffeeddccbbaa99887766554433221100")};
const CheckCredentials kAsks{.own = kAskersOwn, .peer = kAnswerersOwn};
const CheckCredentials kAnswers{.own = kAnswerersOwn, .peer = kAskersOwn};
constexpr StunTransaction kTransaction{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

TEST(StunCheck, IsAnsweredByWhoHasTheCredentials) {
    const auto request = stun_check(kAsks, kTransaction);
    EXPECT_LE(request.size(), kMaxCheckBytes);
    const auto answer = answer_stun_check(request, kAnswers);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->transaction, kTransaction);
    EXPECT_TRUE(answers_stun_check(answer->message, kAsks, kTransaction));
}

TEST(StunCheck, IsNotAnsweredWhenAnythingOfItIsChanged) {
    const auto request = stun_check(kAsks, kTransaction);
    for (std::size_t at = 0; at < request.size(); ++at) {
        auto changed = request;
        changed[at] ^= 1;
        EXPECT_FALSE(answer_stun_check(changed, kAnswers)) << at;
    }
    for (std::size_t size = 0; size < request.size(); ++size) {
        EXPECT_FALSE(answer_stun_check(ByteView{request}.first(size), kAnswers)) << size;
    }
    auto longer = request;
    longer.resize(kMaxCheckBytes + 1);
    EXPECT_FALSE(answer_stun_check(longer, kAnswers));
}

TEST(StunCheck, IsNotAnsweredToTheOneWhoAsks) {
    // A request returned to its sender, as by a mirror.
    EXPECT_FALSE(answer_stun_check(stun_check(kAsks, kTransaction), kAsks));
}

TEST(StunCheck, AnswersOnlyItsOwnRequest) {
    const auto answer =
        answer_stun_check(stun_check(kAsks, kTransaction), kAnswers).value().message;
    auto other = kTransaction;
    other.front() ^= 1;
    EXPECT_FALSE(answers_stun_check(answer, kAsks, other));
    EXPECT_FALSE(answers_stun_check(answer, kAnswers, kTransaction));
    EXPECT_FALSE(answers_stun_check(stun_check(kAsks, kTransaction), kAsks, kTransaction));
    for (std::size_t at = 0; at < answer.size(); ++at) {
        auto changed = answer;
        changed[at] ^= 1;
        EXPECT_FALSE(answers_stun_check(changed, kAsks, kTransaction)) << at;
    }
}

} // namespace
} // namespace thru

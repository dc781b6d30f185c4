#include "pairing/pairing_secret.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "pairing/keys.h"
#include "support/vectors.h"

namespace thru::test {
namespace {

using Kind = PairingSecret::Kind;

PairingRun counting_run() {
    PairingRun run{};
    for (std::size_t index = 0; index < run.size(); ++index) {
        run[index] = static_cast<std::uint8_t>(index);
    }
    return run;
}

TEST(PairingSecret, IsTheWordsThemselves) {
    const auto secret = PairingSecret::words("apple-riverboat-stopwatch");
    EXPECT_EQ(secret.kind(), Kind::Words);
    EXPECT_EQ(as_text(secret.view()), "apple-riverboat-stopwatch");
}

TEST(PairingSecret, IsAKeyInHexadecimalDigits) {
    auto key = key_of(0);
    std::ranges::copy(test::from_hex("00090a0f109fa0ff"), key.mutable_view().begin());
    const auto secret = PairingSecret::key(Kind::Contact, key);
    EXPECT_EQ(secret.kind(), Kind::Contact);
    EXPECT_EQ(as_text(secret.view()),
              "00090a0f109fa0ff000000000000000000000000000000000000000000000000");
}

TEST(PairingSecret, HintsAtALongSecretAndNeverAtWords) {
    const auto run = counting_run();
    EXPECT_EQ(PairingSecret::words("apple-riverboat-stopwatch").hint(run), SecretHint{});
    for (const auto kind : {Kind::Resume, Kind::Contact}) {
        const auto hint = PairingSecret::key(kind, key_of(7)).hint(run);
        EXPECT_EQ(test::to_hex(hint), "9c9490cc10f24724c20363b185366297");
    }
}

TEST(PairingSecret, HintsDifferWithRunAndSecret) {
    const auto secret = PairingSecret::key(Kind::Resume, key_of(7));
    const auto run = counting_run();
    auto other_run = run;
    other_run[15] ^= 1;
    EXPECT_NE(secret.hint(run), secret.hint(other_run));
    EXPECT_NE(secret.hint(run), PairingSecret::key(Kind::Resume, key_of(8)).hint(run));
}

TEST(PairingSecret, CanBeCopiedAndReplaced) {
    auto secret = PairingSecret::words("apple-riverboat-stopwatch");
    const auto copy = secret;
    secret = PairingSecret::key(Kind::Resume, key_of(7));
    EXPECT_EQ(secret.kind(), Kind::Resume);
    EXPECT_EQ(secret.view().size(), 64U);
    EXPECT_EQ(as_text(copy.view()), "apple-riverboat-stopwatch");
    secret = copy;
    EXPECT_EQ(secret.kind(), Kind::Words);
    EXPECT_EQ(as_text(secret.view()), "apple-riverboat-stopwatch");
    const auto &same = secret;
    secret = same;
    EXPECT_EQ(as_text(secret.view()), "apple-riverboat-stopwatch") << "assigned to itself";
}

} // namespace
} // namespace thru::test

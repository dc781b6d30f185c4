#include "engine/share/share_admission.h"

#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "crypto/random.h"

namespace thru {
namespace {

using Kind = PairingSecret::Kind;

SecretKey random_key() {
    SecretKey key;
    random_bytes(key.mutable_view());
    return key;
}

PairingRequested request(Kind kind, const SecretKey &key = {}) {
    PairingRequested asked{.kind = kind};
    random_bytes(asked.run);
    if (kind != Kind::Words) {
        asked.hint = PairingSecret::key(kind, key).hint(asked.run);
    }
    return asked;
}

struct Share {
    Share() { admission.set_code({.nameplate = "4821", .words = "apple-banana-cactus"}); }
    /// Admits a receiver with words once its turn comes.
    Result<ShareAdmission::Admitted> let_in_by_words() {
        now = std::max(now, admission.next_run(now));
        return admission.admit(request(Kind::Words), now);
    }
    /// Returns false if no attempt is admitted.
    bool guess_wrong() {
        auto admitted = let_in_by_words();
        if (admitted) {
            admitted->run->wrong();
        }
        return admitted.has_value();
    }
    std::size_t wrong() const { return admission.budget().wrong(); }
    ContactBook contacts;
    ShareAdmission admission{contacts};
    Timestamp now = kSecond;
};

TEST(ShareAdmission, PAIR02_FortyNineWrongGuessesLeaveTheShareOpen) {
    Share share;
    for (int guess = 0; guess < 49; ++guess) {
        ASSERT_TRUE(share.guess_wrong()) << guess;
    }
    EXPECT_FALSE(share.admission.locked());
    auto admitted = share.let_in_by_words();
    ASSERT_TRUE(admitted);
    admitted->run->proven();
    EXPECT_EQ(share.wrong(), 49U);
}

TEST(ShareAdmission, PAIR03_FiftyWrongGuessesLockItForWordsOnly) {
    Share share;
    const auto key = random_key();
    ASSERT_TRUE(share.admission.remember(key, {}));
    for (int guess = 0; guess < 50; ++guess) {
        ASSERT_TRUE(share.guess_wrong()) << guess;
    }
    EXPECT_TRUE(share.admission.locked());
    const auto refused = share.admission.admit(request(Kind::Words), share.now);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::CodeLocked);
    EXPECT_TRUE(share.admission.admit(request(Kind::Resume, key), share.now));
}

TEST(ShareAdmission, PAIR11_AServerThatAlternatesNumbersAndWordsStillGetsFiftyGuesses) {
    Share share;
    int guesses = 0;
    for (int attempt = 0; attempt < 200; ++attempt) {
        guesses += share.guess_wrong() ? 1 : 0;
        const bool even = attempt % 2 == 0;
        share.admission.set_code({.nameplate = even ? "4822" : "4821",
                                  .words = even ? "cactus-banana-apple" : "apple-banana-cactus"});
    }
    EXPECT_EQ(guesses, 50);
    EXPECT_TRUE(share.admission.locked());
}

TEST(ShareAdmission, AnotherNumberKeepsTheDelayToo) {
    Share share;
    for (int guess = 0; guess < 11; ++guess) {
        ASSERT_TRUE(share.guess_wrong());
    }
    share.admission.set_code({.nameplate = "4822", .words = "apple-banana-cactus"});
    EXPECT_EQ(share.admission.next_run(share.now), share.now + 30 * kSecond);
}

TEST(ShareAdmission, RunsUnderWayEndOnceWhateverBecomesOfTheCode) {
    Share share;
    for (int code = 0; code < 4; ++code) {
        std::vector<Result<ShareAdmission::Admitted>> under_way;
        for (int run = 0; run < 3; ++run) {
            under_way.push_back(share.let_in_by_words());
            ASSERT_TRUE(under_way.back());
        }
        EXPECT_EQ(share.admission.next_run(share.now), kNever);
        share.admission.set_code({.nameplate = "4822", .words = "cactus-banana-apple"});
        EXPECT_EQ(share.admission.next_run(share.now), kNever) << "they still are";
    }
    EXPECT_NE(share.admission.next_run(share.now), kNever);
    EXPECT_EQ(share.wrong(), 0U);
}

TEST(ShareAdmission, ACodeThatAPersonMadeOpensItAgain) {
    Share share;
    for (int guess = 0; guess < 50; ++guess) {
        ASSERT_TRUE(share.guess_wrong());
    }
    share.admission.revoke_code();
    EXPECT_FALSE(share.let_in_by_words()) << "nobody comes in by the old words";
    share.admission.set_code({.nameplate = "4822", .words = "cactus-banana-apple"});
    EXPECT_TRUE(share.let_in_by_words());
}

TEST(ShareAdmission, ARunComesOnce) {
    Share share;
    const auto asked = request(Kind::Words);
    ASSERT_TRUE(share.admission.admit(asked, share.now));
    const auto again = share.admission.admit(asked, share.now);
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, ErrorCode::RateLimited);
}

TEST(ShareAdmission, PAIR10_OnlyTheLatestResumeKeyOfAReceiverCounts) {
    Share share;
    const auto first = random_key();
    ASSERT_TRUE(share.admission.remember(first, {}));
    const auto came_back = share.admission.admit(request(Kind::Resume, first), share.now);
    ASSERT_TRUE(came_back);
    const auto second = random_key();
    ASSERT_TRUE(share.admission.remember(second, came_back->resume));

    const auto old = share.admission.admit(request(Kind::Resume, first), share.now);
    ASSERT_FALSE(old);
    EXPECT_EQ(old.error().code, ErrorCode::CodeMismatch);
    EXPECT_TRUE(share.admission.admit(request(Kind::Resume, second), share.now));
    EXPECT_EQ(share.wrong(), 0U) << "no guess";
}

TEST(ShareAdmission, PAIR10_AnotherSharesResumeKeyIsUnknown) {
    Share share;
    ASSERT_TRUE(share.admission.remember(random_key(), {}));
    EXPECT_FALSE(share.admission.admit(request(Kind::Resume, random_key()), share.now));
}

TEST(ShareAdmission, AKeyIsExchangedOnceHoweverManyUseIt) {
    Share share;
    const auto key = random_key();
    ASSERT_TRUE(share.admission.remember(key, {}));
    const auto one = share.admission.admit(request(Kind::Resume, key), share.now);
    const auto other = share.admission.admit(request(Kind::Resume, key), share.now);
    ASSERT_TRUE(one && other);
    EXPECT_TRUE(share.admission.remember(random_key(), one->resume));
    EXPECT_FALSE(share.admission.remember(random_key(), other->resume));
    EXPECT_FALSE(share.admission.admit(request(Kind::Resume, key), share.now));
}

TEST(ShareAdmission, TheKeyBeforeStaysUntilTheReceiverIsKnownToHaveTheNext) {
    Share share;
    const auto opens = [&](const SecretKey &key) {
        return share.admission.admit(request(Kind::Resume, key), share.now).has_value();
    };
    const auto first = random_key();
    const auto second = random_key();
    const auto third = random_key();
    const auto fourth = random_key();
    ASSERT_TRUE(share.admission.remember(first, {}));
    ASSERT_TRUE(share.admission.add_next(second, first));
    EXPECT_TRUE(opens(first) && opens(second));

    ASSERT_TRUE(share.admission.add_next(third, first)) << "it had not the second";
    EXPECT_TRUE(opens(first) && opens(third));
    EXPECT_FALSE(opens(second));

    ASSERT_TRUE(share.admission.add_next(fourth, third)) << "so it had the third";
    EXPECT_TRUE(opens(third) && opens(fourth));
    EXPECT_FALSE(opens(first));
    EXPECT_FALSE(share.admission.add_next(random_key(), first));

    ASSERT_TRUE(share.admission.remember(fourth, third));
    EXPECT_TRUE(opens(fourth));
    EXPECT_FALSE(opens(third));
}

TEST(ShareAdmission, WhoIsSentAwayHasNeitherOfItsKeys) {
    for (const bool by_the_next : {false, true}) {
        Share share;
        const auto key = random_key();
        const auto next = random_key();
        ASSERT_TRUE(share.admission.remember(key, {}));
        ASSERT_TRUE(share.admission.add_next(next, key));
        share.admission.forget(by_the_next ? next : key);
        EXPECT_FALSE(share.admission.admit(request(Kind::Resume, key), share.now));
        EXPECT_FALSE(share.admission.admit(request(Kind::Resume, next), share.now));
    }
}

TEST(ShareAdmission, AKeyThatIsForgottenLetsNobodyIn) {
    Share share;
    const auto key = random_key();
    ASSERT_TRUE(share.admission.remember(key, {}));
    share.admission.forget(key);
    EXPECT_FALSE(share.admission.admit(request(Kind::Resume, key), share.now));
}

TEST(ShareAdmission, ARecordRestoresKeysPlacesAndGuesses) {
    Share before;
    const auto finished = random_key();
    const auto returning = random_key();
    const auto next = random_key();
    ASSERT_TRUE(before.admission.remember(finished, {}));
    ASSERT_TRUE(before.admission.remember(returning, {}));
    ASSERT_TRUE(before.admission.add_next(next, returning));
    before.admission.give_up_place(finished);
    ASSERT_TRUE(before.guess_wrong());

    Share after;
    after.admission.restore(before.admission.record());
    EXPECT_EQ(after.wrong(), 1U);
    for (const auto &key : {returning, next}) {
        const auto admitted = after.admission.admit(request(Kind::Resume, key), after.now);
        ASSERT_TRUE(admitted);
        EXPECT_TRUE(admitted->has_place);
    }
    const auto again = after.admission.admit(request(Kind::Resume, finished), after.now);
    ASSERT_TRUE(again);
    EXPECT_FALSE(again->has_place);
}

TEST(ShareAdmission, EveryChangeOfTheRecordHasARevisionOfItsOwn) {
    Share share;
    std::set<std::size_t> revisions{share.admission.revision()};
    const auto is_new = [&] { return revisions.insert(share.admission.revision()).second; };
    const auto key = random_key();
    ASSERT_TRUE(share.admission.remember(key, {}));
    EXPECT_TRUE(is_new());
    ASSERT_TRUE(share.admission.add_next(random_key(), key));
    EXPECT_TRUE(is_new());
    share.admission.give_up_place(key);
    EXPECT_TRUE(is_new());
    ASSERT_TRUE(share.guess_wrong());
    EXPECT_TRUE(is_new());
    share.admission.revoke_code();
    EXPECT_TRUE(is_new());
    share.admission.forget(key);
    EXPECT_TRUE(is_new());
}

TEST(ShareAdmission, ManyResumeRequestsCostAFewHashesEach) {
    Share share;
    for (std::size_t keys = 0; keys < kMaxResumeKeys; ++keys) {
        ASSERT_TRUE(share.admission.remember(random_key(), {}));
    }
    const auto looked_up = [&] {
        int count = 0;
        for (int strangers = 0; strangers < 1000; ++strangers) {
            const auto refused =
                share.admission.admit(request(Kind::Resume, random_key()), share.now);
            count += refused.error().code == ErrorCode::CodeMismatch ? 1 : 0;
        }
        return count;
    };
    EXPECT_EQ(looked_up(), 10) << "with 2,000 keys each";
    EXPECT_EQ(looked_up(), 0);
    share.now += kSecond;
    EXPECT_EQ(looked_up(), 10);
}

TEST(ShareAdmission, TheOldestResumeKeysAreForgotten) {
    Share share;
    const auto oldest = random_key();
    ASSERT_TRUE(share.admission.remember(oldest, {}));
    for (std::size_t more = 0; more < kMaxResumeKeys; ++more) {
        ASSERT_TRUE(share.admission.remember(random_key(), {}));
    }
    EXPECT_FALSE(share.admission.admit(request(Kind::Resume, oldest), share.now));
}

TEST(ShareAdmission, ContactsComeInUntilTheyAreRemoved) {
    Share share;
    const Contact anna{
        .id = "anna", .public_key = SigningKey::create().public_key(), .shared = random_key()};
    share.contacts.own = SigningKey::create();
    share.contacts.contacts = {{.id = "ben", .public_key = {}, .shared = random_key()}, anna};
    const auto admitted = share.admission.admit(request(Kind::Contact, anna.shared), share.now);
    ASSERT_TRUE(admitted);
    EXPECT_EQ(admitted->contact, "anna");
    ASSERT_TRUE(admitted->credentials.contact);
    EXPECT_EQ(admitted->credentials.contact->peer, anna.public_key);

    share.contacts.contacts.pop_back();
    const auto removed = share.admission.admit(request(Kind::Contact, anna.shared), share.now);
    ASSERT_FALSE(removed);
    EXPECT_EQ(removed.error().code, ErrorCode::ContactUnknown);
}

} // namespace
} // namespace thru

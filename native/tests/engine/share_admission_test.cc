#include "engine/share_admission.h"

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
    /// When its turn comes.
    Result<ShareAdmission::Admitted> let_in_by_words() {
        now = std::max(now, admission.next_run(now));
        return admission.admit(request(Kind::Words), now);
    }
    ContactBook contacts;
    ShareAdmission admission{contacts};
    Timestamp now = kSecond;
};

TEST(ShareAdmission, PAIR02_FortyNineWrongGuessesLeaveTheShareOpen) {
    Share share;
    for (int guess = 0; guess < 49; ++guess) {
        ASSERT_TRUE(share.let_in_by_words()) << guess;
        share.admission.on_wrong();
    }
    EXPECT_FALSE(share.admission.locked());
    ASSERT_TRUE(share.let_in_by_words());
    share.admission.on_proven();
    EXPECT_EQ(share.admission.wrong(), 49U);
}

TEST(ShareAdmission, PAIR03_FiftyWrongGuessesLockItForWordsOnly) {
    Share share;
    const auto key = random_key();
    share.admission.remember(key, {});
    for (int guess = 0; guess < 50; ++guess) {
        ASSERT_TRUE(share.let_in_by_words()) << guess;
        share.admission.on_wrong();
    }
    EXPECT_TRUE(share.admission.locked());
    const auto refused = share.admission.admit(request(Kind::Words), share.now);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::CodeLocked);
    EXPECT_TRUE(share.admission.admit(request(Kind::Resume, key), share.now));
}

TEST(ShareAdmission, ANewCodeOpensItAgain) {
    Share share;
    for (int guess = 0; guess < 50; ++guess) {
        ASSERT_TRUE(share.let_in_by_words());
        share.admission.on_wrong();
    }
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
    share.admission.remember(first, {});
    const auto came_back = share.admission.admit(request(Kind::Resume, first), share.now);
    ASSERT_TRUE(came_back);
    const auto second = random_key();
    share.admission.remember(second, came_back->resume);

    const auto old = share.admission.admit(request(Kind::Resume, first), share.now);
    ASSERT_FALSE(old);
    EXPECT_EQ(old.error().code, ErrorCode::CodeMismatch);
    EXPECT_TRUE(share.admission.admit(request(Kind::Resume, second), share.now));
    EXPECT_EQ(share.admission.wrong(), 0U) << "no guess";
}

TEST(ShareAdmission, PAIR10_AnotherSharesResumeKeyIsUnknown) {
    Share share;
    share.admission.remember(random_key(), {});
    EXPECT_FALSE(share.admission.admit(request(Kind::Resume, random_key()), share.now));
}

TEST(ShareAdmission, TheOldestResumeKeysAreForgotten) {
    Share share;
    const auto oldest = random_key();
    share.admission.remember(oldest, {});
    for (std::size_t more = 0; more < kMaxResumeKeys; ++more) {
        share.admission.remember(random_key(), {});
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

#include "pairing/contact.h"

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "crypto/aead.h"
#include "crypto/base64url.h"
#include "pairing/keys.h"
#include "support/vectors.h"

namespace thru::test {
namespace {

PublicKey public_key_of(std::uint8_t byte) {
    PublicKey key;
    key.fill(byte);
    return key;
}

const PublicKey kOneKey = public_key_of(0x11);
const PublicKey kOtherKey = public_key_of(0x22);

TEST(Contact, BothDeriveTheSameKeyFromTheirConnection) {
    Bytes exported(32);
    for (std::size_t index = 0; index < exported.size(); ++index) {
        exported[index] = static_cast<std::uint8_t>(index);
    }
    const auto key = test::to_hex(contact_key(exported, kOneKey, kOtherKey).view());
    EXPECT_EQ(key, "64dd6370e0f6624b1e396a278ed3e4647e3dc6aa9e2e3f7be94293d0d5a711a1");
    EXPECT_EQ(test::to_hex(contact_key(exported, kOtherKey, kOneKey).view()), key);
    EXPECT_NE(test::to_hex(contact_key(exported, kOneKey, kOneKey).view()), key);
    exported[31] ^= 1;
    EXPECT_NE(test::to_hex(contact_key(exported, kOneKey, kOtherKey).view()), key);
}

TEST(Contact, EachOfTwoIsFoundInAMailboxOfItsOwn) {
    const auto mailbox = contact_mailbox(key_of(7), kOneKey);
    EXPECT_EQ(mailbox, "cCA7l1U3f3PMUAmjDCNTKCBuQfos4h64jK6x8S65mcU");
    EXPECT_EQ(mailbox.size(), 43U);
    EXPECT_NE(contact_mailbox(key_of(7), kOtherKey), mailbox);
    EXPECT_NE(contact_mailbox(key_of(8), kOneKey), mailbox) << "other contacts find it elsewhere";
}

TEST(Contact, InvitationsOpenForWhoeverSharesTheKey) {
    for (const auto &text : {std::string{}, std::string{"{\"nameplate\":\"4821\"}"},
                             std::string("a\0b\xff", 4), std::string(kMaxInvitationBytes, 'x')}) {
        EXPECT_EQ(open_invitation(key_of(7), kOneKey, seal_invitation(key_of(7), kOneKey, text)),
                  text);
        EXPECT_FALSE(
            open_invitation(key_of(8), kOneKey, seal_invitation(key_of(7), kOneKey, text)));
    }
}

TEST(Contact, AnInvitationDoesNotComeBackToWhoMadeIt) {
    const auto sealed = seal_invitation(key_of(7), kOtherKey, "text");
    EXPECT_EQ(open_invitation(key_of(7), kOtherKey, sealed), "text");
    EXPECT_FALSE(open_invitation(key_of(7), kOneKey, sealed));
}

TEST(Contact, InvitationsNeverLookTheSame) {
    std::set<std::string> seen;
    for (int count = 0; count < 100; ++count) {
        EXPECT_TRUE(seen.insert(seal_invitation(key_of(7), kOneKey, "same")).second);
    }
}

TEST(Contact, AlteredOrShortenedInvitationsDoNotOpen) {
    const auto sealed = seal_invitation(key_of(7), kOneKey, "text");
    const auto bytes = from_base64url(sealed).value();
    for (std::size_t index = 0; index < bytes.size(); ++index) {
        auto altered = bytes;
        altered[index] ^= 1;
        EXPECT_FALSE(open_invitation(key_of(7), kOneKey, to_base64url(altered))) << index;
        EXPECT_FALSE(
            open_invitation(key_of(7), kOneKey, to_base64url(ByteView{bytes}.first(index))))
            << index;
    }
    EXPECT_FALSE(open_invitation(key_of(7), kOneKey, sealed + "="));
    EXPECT_FALSE(open_invitation(key_of(7), kOneKey, sealed + "AAAA"));
    EXPECT_FALSE(open_invitation(key_of(7), kOneKey, " " + sealed));
    EXPECT_FALSE(open_invitation(key_of(7), kOneKey, "no invitation, no base64url"));
    EXPECT_FALSE(open_invitation(key_of(7), kOneKey, ""));
}

TEST(Contact, TooLongInvitationsAreRefusedUnread) {
    const auto longest = seal_invitation(key_of(7), kOneKey, std::string(kMaxInvitationBytes, 'x'));
    EXPECT_TRUE(open_invitation(key_of(7), kOneKey, longest));
    const auto longer =
        seal_invitation(key_of(7), kOneKey, std::string(kMaxInvitationBytes + 1, 'x'));
    EXPECT_FALSE(open_invitation(key_of(7), kOneKey, longer));
    EXPECT_FALSE(open_invitation(key_of(7), kOneKey, std::string(10'000'000, 'A')));
}

TEST(Contact, InvitationsHaveAKeyOfTheirOwn) {
    // Sealed with the shared key itself, instead of the key derived from it.
    const auto nonce = random_box_nonce();
    Bytes sealed{nonce.begin(), nonce.end()};
    const auto box = seal_box(key_of(7), nonce, {}, as_bytes("text"));
    sealed.insert(sealed.end(), box.begin(), box.end());
    EXPECT_FALSE(open_invitation(key_of(7), kOneKey, to_base64url(sealed)));
}

} // namespace
} // namespace thru::test

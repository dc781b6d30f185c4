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

const PublicKey kOne = public_key_of(0x11);
const PublicKey kOther = public_key_of(0x22);

TEST(Contact, BothDeriveTheSameKeyFromTheirConnection) {
    Bytes exported(32);
    for (std::size_t index = 0; index < exported.size(); ++index) {
        exported[index] = static_cast<std::uint8_t>(index);
    }
    const auto key = test::to_hex(contact_key(exported, kOne, kOther).view());
    EXPECT_EQ(key, "64dd6370e0f6624b1e396a278ed3e4647e3dc6aa9e2e3f7be94293d0d5a711a1");
    EXPECT_EQ(test::to_hex(contact_key(exported, kOther, kOne).view()), key);
    EXPECT_NE(test::to_hex(contact_key(exported, kOne, kOne).view()), key);
    exported[31] ^= 1;
    EXPECT_NE(test::to_hex(contact_key(exported, kOne, kOther).view()), key);
}

TEST(Contact, EachOfTwoIsFoundInAMailboxOfItsOwn) {
    const auto mailbox = contact_mailbox(key_of(7), kOne);
    EXPECT_EQ(mailbox, "cCA7l1U3f3PMUAmjDCNTKCBuQfos4h64jK6x8S65mcU");
    EXPECT_EQ(mailbox.size(), 43U);
    EXPECT_NE(contact_mailbox(key_of(7), kOther), mailbox);
    EXPECT_NE(contact_mailbox(key_of(8), kOne), mailbox) << "other contacts find it elsewhere";
}

TEST(Contact, InvitationsOpenForWhoeverSharesTheKey) {
    for (const auto &text : {std::string{}, std::string{"{\"nameplate\":\"4821\"}"},
                             std::string("a\0b\xff", 4), std::string(kMaxInvitationBytes, 'x')}) {
        EXPECT_EQ(open_invitation(key_of(7), kOne, seal_invitation(key_of(7), kOne, text)), text);
        EXPECT_FALSE(open_invitation(key_of(8), kOne, seal_invitation(key_of(7), kOne, text)));
    }
}

TEST(Contact, AnInvitationDoesNotComeBackToWhoMadeIt) {
    const auto sealed = seal_invitation(key_of(7), kOther, "text");
    EXPECT_EQ(open_invitation(key_of(7), kOther, sealed), "text");
    EXPECT_FALSE(open_invitation(key_of(7), kOne, sealed));
}

TEST(Contact, InvitationsNeverLookTheSame) {
    std::set<std::string> seen;
    for (int count = 0; count < 100; ++count) {
        EXPECT_TRUE(seen.insert(seal_invitation(key_of(7), kOne, "same")).second);
    }
}

TEST(Contact, AlteredOrShortenedInvitationsDoNotOpen) {
    const auto sealed = seal_invitation(key_of(7), kOne, "text");
    const auto bytes = from_base64url(sealed).value();
    for (std::size_t index = 0; index < bytes.size(); ++index) {
        auto altered = bytes;
        altered[index] ^= 1;
        EXPECT_FALSE(open_invitation(key_of(7), kOne, to_base64url(altered))) << index;
        EXPECT_FALSE(open_invitation(key_of(7), kOne, to_base64url(ByteView{bytes}.first(index))))
            << index;
    }
    EXPECT_FALSE(open_invitation(key_of(7), kOne, sealed + "="));
    EXPECT_FALSE(open_invitation(key_of(7), kOne, sealed + "AAAA"));
    EXPECT_FALSE(open_invitation(key_of(7), kOne, " " + sealed));
    EXPECT_FALSE(open_invitation(key_of(7), kOne, "no invitation, no base64url"));
    EXPECT_FALSE(open_invitation(key_of(7), kOne, ""));
}

TEST(Contact, TooLongInvitationsAreRefusedUnread) {
    const auto longest = seal_invitation(key_of(7), kOne, std::string(kMaxInvitationBytes, 'x'));
    EXPECT_TRUE(open_invitation(key_of(7), kOne, longest));
    const auto longer = seal_invitation(key_of(7), kOne, std::string(kMaxInvitationBytes + 1, 'x'));
    EXPECT_FALSE(open_invitation(key_of(7), kOne, longer));
    EXPECT_FALSE(open_invitation(key_of(7), kOne, std::string(10'000'000, 'A')));
}

TEST(Contact, InvitationsHaveAKeyOfTheirOwn) {
    // Sealed with the shared key itself, instead of the key derived from it.
    const auto nonce = random_box_nonce();
    Bytes sealed{nonce.begin(), nonce.end()};
    const auto box = seal_box(key_of(7), nonce, {}, as_bytes("text"));
    sealed.insert(sealed.end(), box.begin(), box.end());
    EXPECT_FALSE(open_invitation(key_of(7), kOne, to_base64url(sealed)));
}

} // namespace
} // namespace thru::test

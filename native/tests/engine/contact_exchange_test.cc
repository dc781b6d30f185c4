#include "engine/contact_exchange.h"

#include <gtest/gtest.h>

namespace thru {
namespace {

SecretKey exported(std::uint8_t number = 1) {
    SecretKey key;
    key.mutable_view().front() = number;
    return key;
}

struct Exchanges {
    SigningKey anna = SigningKey::create();
    SigningKey ben = SigningKey::create();
    ContactExchange sender{LinkRole::Sender, exported()};
    ContactExchange receiver{LinkRole::Receiver, exported()};
};

TEST(ContactExchange, BothStoreTheSameSecretAndEachOthersKey) {
    Exchanges both;
    ASSERT_TRUE(both.receiver.receive(*both.sender.request(both.anna)));
    EXPECT_FALSE(both.receiver.take_contact()) << "only one of them wanted it";
    EXPECT_FALSE(both.sender.take_contact());
    ASSERT_TRUE(both.sender.receive(*both.receiver.request(both.ben)));
    const auto at_sender = both.sender.take_contact();
    const auto at_receiver = both.receiver.take_contact();
    ASSERT_TRUE(at_sender && at_receiver);
    EXPECT_EQ(at_sender->public_key, both.ben.public_key());
    EXPECT_EQ(at_receiver->public_key, both.anna.public_key());
    EXPECT_TRUE(std::ranges::equal(at_sender->shared.view(), at_receiver->shared.view()));
    EXPECT_FALSE(both.sender.take_contact()) << "once";
}

TEST(ContactExchange, IsOfferedOnce) {
    Exchanges both;
    EXPECT_TRUE(both.sender.request(both.anna));
    EXPECT_FALSE(both.sender.request(both.anna));
}

TEST(ContactExchange, SomebodyElsesKeyIsRefused) {
    Exchanges both;
    auto request = *both.sender.request(both.anna);
    request.public_key = both.ben.public_key();
    EXPECT_FALSE(both.receiver.receive(request));
}

TEST(ContactExchange, AnOfferOfAnotherConnectionIsRefused) {
    Exchanges both;
    ContactExchange elsewhere(LinkRole::Sender, exported(2));
    EXPECT_FALSE(both.receiver.receive(*elsewhere.request(both.anna)));
}

TEST(ContactExchange, AReflectedRequestIsRefused) {
    Exchanges both;
    EXPECT_FALSE(both.sender.receive(*both.sender.request(both.anna)));
}

TEST(ContactExchange, ASecondOfferOfTheOtherSideIsRefused) {
    Exchanges both;
    const auto request = *both.sender.request(both.anna);
    ASSERT_TRUE(both.receiver.receive(request));
    EXPECT_FALSE(both.receiver.receive(request));
}

} // namespace
} // namespace thru

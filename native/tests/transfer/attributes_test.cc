#include <gtest/gtest.h>

#include "transfer/receiving.h"
#include "transfer/sending.h"

namespace thru::test {
namespace {

const std::vector<ExtendedAttribute> kTags = {{"tags", "red"}};

/// A receiver that asks for all attributes and was listed this manifest, but no offer.
Receiver asking(const ManifestTable &manifest) {
    Receiver receiver("me", {9}, false,
                      kTakesAttributes | kTakesCreationTimes | kTakesThoseOfFolders);
    EXPECT_TRUE(receiver.on_control(Hello{}));
    EXPECT_TRUE(receiver.on_manifest_bytes(test::encoded(manifest)));
    return receiver;
}

/// Sends these to a receiver that takes what `hello` says.
std::vector<ControlMessage> sent_to(const Hello &hello) {
    auto sender = test::new_sender(test::files_of(3, 10));
    EXPECT_TRUE(sender.on_control(hello));
    sender.take_messages();
    sender.set_attributes({{0, kTags}, {1, {{"other", ""}}}, {2, kTags}},
                          {{.first = 1, .count = 1}});
    sender.set_creation_times({{0, 5}, {1, 6}, {2, -7}}, {{.first = 1, .count = 1}});
    return sender.take_messages();
}

TEST(Attributes, ReachAReceiverThatAsksForThem) {
    const auto manifest = test::files_of(3, 10);
    auto receiver = asking(*manifest);
    const auto messages = receiver.take_messages();
    for (const ControlMessage &message : sent_to(std::get<Hello>(messages.front()))) {
        EXPECT_TRUE(receiver.on_control(message));
    }
    EXPECT_TRUE(receiver.on_control(test::offer_of(*manifest)));
    ASSERT_NE(receiver.manifest()->attributes(2), nullptr);
    EXPECT_EQ(*receiver.manifest()->attributes(2), kTags);
    EXPECT_EQ(receiver.manifest()->attributes(1), nullptr);
    EXPECT_EQ(receiver.manifest()->creation_ns(2), -7);
    EXPECT_EQ(receiver.manifest()->creation_ns(1), std::nullopt);
}

TEST(Attributes, AreNotSentToOthers) {
    EXPECT_TRUE(sent_to(Hello{}).empty());
    EXPECT_TRUE(sent_to(Hello{.takes = kTakesCreationTimes << 1}).empty());
    for (const ControlMessage &message : sent_to(Hello{.takes = kTakesAttributes})) {
        EXPECT_TRUE(std::holds_alternative<FileAttributes>(message));
    }
    EXPECT_EQ(sent_to(Hello{.takes = kTakesCreationTimes}).size(), 1U);
}

TEST(Attributes, OfFoldersReachOnlyReceiversThatTakeThem) {
    const auto manifest = manifest_of({folder("f"), file("f/a", 10)});
    for (const bool takes : {true, false}) {
        Receiver receiver("me", {9}, false,
                          kTakesAttributes | kTakesCreationTimes |
                              (takes ? kTakesThoseOfFolders : 0));
        EXPECT_TRUE(receiver.on_control(Hello{}));
        EXPECT_TRUE(receiver.on_manifest_bytes(test::encoded(*manifest)));
        auto sender = test::new_sender(manifest);
        EXPECT_TRUE(sender.on_control(receiver.take_messages().front()));
        sender.take_messages();
        sender.set_attributes({{0, kTags}, {1, kTags}}, {});
        sender.set_creation_times({{0, 5}, {1, 6}}, {});
        for (const ControlMessage &message : sender.take_messages()) {
            EXPECT_TRUE(receiver.on_control(message));
        }
        EXPECT_TRUE(receiver.on_control(test::offer_of(*manifest)));
        EXPECT_EQ(receiver.manifest()->attributes(0) != nullptr, takes);
        EXPECT_EQ(receiver.manifest()->creation_ns(0).has_value(), takes);
        EXPECT_EQ(receiver.manifest()->creation_ns(1), 6);
    }
}

TEST(Attributes, OfFoldersAreRefusedUnlessTheyWereAskedFor) {
    const auto manifest = manifest_of({file("a", 10), folder("f")});
    const std::vector<ControlMessage> wrong = {FileAttributes{1, kTags}, CreationTimes{{{1, 1}}}};
    for (const ControlMessage &message : wrong) {
        Receiver receiver("me", {9}, false, kTakesAttributes | kTakesCreationTimes);
        EXPECT_TRUE(receiver.on_control(Hello{}));
        EXPECT_TRUE(receiver.on_manifest_bytes(test::encoded(*manifest)));
        EXPECT_TRUE(receiver.on_control(message));
        EXPECT_EQ(refused(receiver, test::offer_of(*manifest)), ErrorCode::PeerProtocol);
    }
}

TEST(Attributes, OfManyFilesHaveTheirCreationTimesInSeveralMessages) {
    const auto most = static_cast<std::uint32_t>(kMaxCreationTimes);
    auto sender = test::new_sender(test::files_of(most + 1, 10));
    EXPECT_TRUE(sender.on_control(Hello{.takes = kTakesCreationTimes}));
    sender.take_messages();
    std::vector<CreationTime> times;
    for (std::uint32_t index = 0; index <= most; ++index) {
        times.push_back({index, index});
    }
    sender.set_creation_times(times, {});
    const auto messages = sender.take_messages();
    ASSERT_EQ(messages.size(), 2U);
    EXPECT_EQ(std::get<CreationTimes>(messages[1]).files, (std::vector{times.back()}));
}

TEST(Attributes, AreRefusedUnlessTheyAreOfFilesOrFolders) {
    ManifestEntry text = file("t", 10);
    text.text = true;
    const auto manifest = manifest_of({file("a", 10), text, test::gone()});
    for (const std::uint32_t wrong : {1U, 2U, 3U}) {
        auto receiver = asking(*manifest);
        EXPECT_TRUE(receiver.on_control(FileAttributes{wrong, kTags}));
        EXPECT_EQ(refused(receiver, test::offer_of(*manifest)), ErrorCode::PeerProtocol);
        auto other = asking(*manifest);
        EXPECT_TRUE(other.on_control(CreationTimes{{{wrong, 1}}}));
        EXPECT_EQ(refused(other, test::offer_of(*manifest)), ErrorCode::PeerProtocol);
    }
}

TEST(Attributes, AreRefusedOutOfOrderAfterTheOfferAndUnrequested) {
    const auto manifest = test::files_of(3, 10);
    auto receiver = asking(*manifest);
    EXPECT_TRUE(receiver.on_control(FileAttributes{1, kTags}));
    EXPECT_EQ(refused(receiver, FileAttributes{1, kTags}), ErrorCode::PeerProtocol);
    auto again = asking(*manifest);
    EXPECT_TRUE(again.on_control(CreationTimes{{{1, 1}}}));
    EXPECT_EQ(refused(again, CreationTimes{{{1, 1}}}), ErrorCode::PeerProtocol);
    auto late = asking(*manifest);
    EXPECT_TRUE(late.on_control(test::offer_of(*manifest)));
    EXPECT_EQ(refused(late, FileAttributes{1, kTags}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(late, CreationTimes{{{1, 1}}}), ErrorCode::PeerProtocol);
    auto other = test::new_receiver();
    EXPECT_TRUE(other.on_control(Hello{}));
    EXPECT_EQ(refused(other, FileAttributes{1, kTags}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(other, CreationTimes{{{1, 1}}}), ErrorCode::PeerProtocol);
}

TEST(Attributes, EndTheTransferBeyondTheMemoryForAnOffer) {
    const auto manifest = test::files_of(1, 10);
    auto receiver = asking(*manifest);
    const std::vector<ExtendedAttribute> most = {
        {"a", std::string(kMaxFileAttributeBytes - 1, 'x')}};
    const auto fits = static_cast<std::uint32_t>(kMaxOfferAttributeBytes / attribute_cost(most));
    for (std::uint32_t index = 0; index < fits; ++index) {
        EXPECT_TRUE(receiver.on_control(FileAttributes{index, most}));
    }
    EXPECT_EQ(refused(receiver, FileAttributes{fits, most}), ErrorCode::LimitExceeded);
}

TEST(Attributes, AreRefusedFromAReceiver) {
    auto sender = test::offering(test::files_of(1, 10));
    EXPECT_EQ(refused(sender, FileAttributes{0, kTags}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(sender, CreationTimes{{{0, 1}}}), ErrorCode::PeerProtocol);
}

} // namespace
} // namespace thru::test

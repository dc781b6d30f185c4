// Receivers that violate the protocol.
#include <limits>

#include "transfer/sending.h"

namespace thru::test {
namespace {

TEST(Sender, EndsWithTheReceiversReason) {
    auto sender = test::new_sender(files_of(1, 1));
    EXPECT_EQ(refused(sender, Bye{ErrorCode::Declined}), ErrorCode::Declined);
}

TEST(Sender, RefusesAnotherVersion) {
    auto sender = test::new_sender(files_of(1, 1));
    EXPECT_EQ(refused(sender, Hello{.version = 2}), ErrorCode::PeerVersion);
}

TEST(Sender, RefusesAWebPageIfTheShareExcludesBrowsers) {
    Sender sender(files_of(1, 1), {.browsers = false});
    EXPECT_EQ(refused(sender, Hello{.browser = true}), ErrorCode::NoBrowsers);
    Sender open(files_of(1, 1), {.browsers = false});
    EXPECT_TRUE(open.on_control(Hello{}));
    Sender any(files_of(1, 1), {});
    EXPECT_TRUE(any.on_control(Hello{.browser = true}));
}

TEST(Sender, RefusesMessagesOutOfPlace) {
    auto no_hello = test::new_sender(files_of(2, 5));
    for (const ControlMessage &message : std::vector<ControlMessage>{
             Request{}, Pause{}, Resume{}, Done{}, Prioritize{}, Progress{}, Offer{}}) {
        EXPECT_EQ(refused(no_hello, message), ErrorCode::PeerProtocol) << message.index();
    }
    auto no_offer = test::new_sender(files_of(2, 5));
    EXPECT_TRUE(no_offer.on_control(Hello{}));
    EXPECT_EQ(refused(no_offer, Request{}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(no_offer, Have{}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(no_offer, Skip{}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(no_offer, Prioritize{}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(no_offer, EntryFailed{0, ErrorCode::DiskIo}), ErrorCode::PeerProtocol);
    auto sender = offering(files_of(2, 5));
    for (const ControlMessage &message : std::vector<ControlMessage>{
             Hello{}, Progress{}, Done{}, Bye{}, Offer{}, Resend{}, Restart{}, Confirm{},
             Validator{}, Hole{}, Removed{}, Compare{}, Extents{}}) {
        EXPECT_EQ(refused(sender, message), ErrorCode::PeerProtocol) << message.index();
    }
}

TEST(Sender, RefusesARequestThatDoesNotRiseOrGoesBeyondTheCheckpoint) {
    auto sender = offering(files_of(4, 5));
    EXPECT_EQ(refused(sender, Request{5}), ErrorCode::PeerProtocol);
    EXPECT_TRUE(sender.on_control(Request{2}));
    EXPECT_EQ(refused(sender, Request{2}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(sender, Request{1}), ErrorCode::PeerProtocol);
    EXPECT_TRUE(sender.on_control(Request{4}));
}

TEST(Sender, RefusesADoneThatDoesNotFit) { // WIRE-10
    for (const Done &wrong :
         {Done{.entries = 1}, Done{.entries = 3}, Done{.entries = 2, .files = 3},
          Done{.entries = 2, .bytes = 11}, Done{.entries = 2, .problems = 3},
          Done{.entries = 2, .renamed = 1}, Done{.entries = 2, .identical = 1},
          Done{.entries = 2, .files = 1, .identical = 1, .identical_bytes = 1},
          Done{.entries = 2, .files = 1, .bytes = 5, .identical = 1, .uncompared = 2}}) {
        auto sender = sending(files_of(2, 5));
        EXPECT_EQ(refused(sender, wrong), ErrorCode::PeerProtocol);
    }
    const auto table = files_of(2, 5);
    auto sender = sending(table);
    test::add_all(*table, {file("more", 1)});
    sender.on_checkpoint();
    EXPECT_TRUE(sender.on_control(Done{.entries = 2}));
    EXPECT_EQ(refused(sender, Done{.entries = 2}), ErrorCode::PeerProtocol); // allowed once
}

TEST(Sender, RefusesABeginningThatCannotBe) { // WIRE-14
    const auto table = manifest_of({file("a", 5), test::folder("b"), file("c", 5)});
    auto sender = offering(table);
    EXPECT_EQ(refused(sender, Have{.index = 0, .offset = 6}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(sender, Have{.index = 1}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(sender, Have{.index = 3}), ErrorCode::PeerProtocol);
    EXPECT_TRUE(sender.on_control(Have{.index = 0, .offset = 3}));
    EXPECT_EQ(refused(sender, Have{.index = 0, .offset = 3}), ErrorCode::PeerProtocol);
    EXPECT_TRUE(sender.on_control(Request{3}));
    EXPECT_EQ(refused(sender, Have{.index = 2, .offset = 3}), ErrorCode::PeerProtocol);
}

TEST(Sender, RefusesExtentsThatItDidNotAskFor) { // WIRE-14
    auto sender = offering(manifest_of({file("a", 9), file("b", 9)}));
    const Have have{.index = 0, .offset = 8};
    EXPECT_TRUE(sender.on_control(have));
    sender.compare(have, 2);
    EXPECT_EQ(refused(sender, Extents{.index = 0}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(sender, Extents{.index = 1, .offset = 2}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(sender, Extents{.index = 0, .offset = 2, .runs = {{.length = 7}}}),
              ErrorCode::PeerProtocol);
    EXPECT_TRUE(sender.on_control(Extents{.index = 0, .offset = 2, .runs = {{.length = 6}}}));
    EXPECT_EQ(refused(sender, Extents{.index = 0, .offset = 2}), ErrorCode::PeerProtocol);
}

TEST(Sender, ListsEachOfferedFileOnceIfItsOwnerDoes) {
    constexpr std::uint64_t kSize = 1 << 20;
    const auto table =
        manifest_of({file("a", kSize), file("b", kSize - 1), test::folder("c"), file("d", kSize)});
    auto unable = offering(table);
    EXPECT_EQ(refused(unable, ListChunks{0}), ErrorCode::PeerProtocol);
    Sender sender(table, {.lists_chunks = true, .validator_of = test::validator_of});
    EXPECT_TRUE(sender.on_control(Hello{}));
    EXPECT_EQ(refused(sender, ListChunks{0}), ErrorCode::PeerProtocol) << "before the offer";
    sender.on_checkpoint();
    EXPECT_TRUE(sender.on_control(ListChunks{0}));
    for (const std::uint64_t wrong : {0, 1, 2, 4}) {
        EXPECT_EQ(refused(sender, ListChunks{wrong}), ErrorCode::PeerProtocol) << wrong;
    }
    sender.take_messages();
    sender.send_chunks({.index = 0});
    EXPECT_TRUE(std::holds_alternative<Chunks>(sender.take_messages().at(0)));
    EXPECT_TRUE(sender.on_control(Request{4}));
    EXPECT_EQ(refused(sender, ListChunks{3}), ErrorCode::PeerProtocol) << "after the request";
}

template <class Message> void expect_blocks_in_order() {
    constexpr std::uint64_t kSize = (1 << 20) + 7;
    const auto table = manifest_of({file("a", kSize), file("b", kSize), file("c", kSize)});
    Sender sender(table, {.lists_chunks = true, .validator_of = test::validator_of});
    EXPECT_TRUE(sender.on_control(Hello{}));
    sender.on_checkpoint();
    const auto range = [](std::uint64_t index, std::uint64_t offset, std::uint64_t length) {
        return Message{.index = index, .range = {.offset = offset, .length = length}};
    };
    EXPECT_EQ(refused(sender, range(0, 0, 4096)), ErrorCode::PeerProtocol) << "not listed";
    EXPECT_TRUE(sender.on_control(ListChunks{0}));
    EXPECT_TRUE(sender.on_control(ListChunks{1}));
    for (const Message &right : {range(0, 4096, 8192), range(0, 8192, 4096), range(0, 12288, 4096),
                                 range(1, 4096, 4096), range(1, 1 << 20, 7)}) {
        EXPECT_TRUE(sender.on_control(right)) << right.range.offset;
    }
    for (const Message &wrong : {range(0, 65536, 4096), range(2, 0, 4096)}) {
        EXPECT_EQ(refused(sender, wrong), ErrorCode::PeerProtocol) << wrong.range.offset;
    }
    EXPECT_TRUE(sender.on_control(ListChunks{2}));
    for (const Message &wrong : {range(2, 0, 4095), range(2, 1 << 20, 4096)}) {
        EXPECT_EQ(refused(sender, wrong), ErrorCode::PeerProtocol) << wrong.range.length;
    }
    EXPECT_EQ(sender.take_events().size(), 9u) << "a greeting, three lists, five ranges";
    EXPECT_TRUE(sender.offers(2));
    sender.on_removed({{.first = 2, .count = 1}});
    EXPECT_FALSE(sender.offers(2));
    EXPECT_TRUE(sender.on_control(range(2, 0, 4096))) << "it may have crossed with the removal";
    EXPECT_TRUE(sender.on_control(Request{3}));
    EXPECT_EQ(refused(sender, range(2, 4096, 4096)), ErrorCode::PeerProtocol)
        << "after the request";
}

template <class Message> void expect_passes_to_be_bounded() {
    constexpr std::uint64_t kSize = 64 << 20;
    Sender sender(manifest_of({file("a", kSize)}),
                  {.lists_chunks = true, .validator_of = test::validator_of});
    EXPECT_TRUE(sender.on_control(Hello{}));
    sender.on_checkpoint();
    EXPECT_TRUE(sender.on_control(ListChunks{0}));
    const Message first{.index = 0, .range = {.offset = 0, .length = 4096}};
    const Message last{.index = 0, .range = {.offset = kSize - 4096, .length = 4096}};
    EXPECT_TRUE(sender.on_control(last));
    // The budget is sixteen times the file and 64 MiB.
    for (std::size_t pass = 0; pass < 17; ++pass) {
        EXPECT_TRUE(sender.on_control(first)) << pass;
        EXPECT_TRUE(sender.on_control(last)) << pass;
    }
    EXPECT_EQ(refused(sender, first), ErrorCode::PeerProtocol);
}

TEST(Sender, TakesRangesOfListedFilesInOrder) {
    expect_blocks_in_order<ListBlocks>();
    expect_blocks_in_order<Fetch>();
    expect_passes_to_be_bounded<ListBlocks>();
    expect_passes_to_be_bounded<Fetch>();
}

TEST(Sender, RefusesChoicesOutsideOfTheList) { // WIRE-16
    auto sender = sending(files_of(3, 5));
    const IndexRanges beyond = {{.first = 2, .count = 2}};
    for (const auto why : {Skip::Why::Unwanted, Skip::Why::Present, Skip::Why::Wanted}) {
        EXPECT_EQ(refused(sender, Skip{.why = why, .ranges = beyond}), ErrorCode::PeerProtocol);
    }
    EXPECT_EQ(refused(sender, Prioritize{beyond}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(sender, EntryFailed{3, ErrorCode::DiskIo}), ErrorCode::PeerProtocol);
}

TEST(Sender, RefusesToSendAgainWhatItCannotHaveSent) { // WIRE-16
    const auto table = manifest_of({file("a", 5), test::folder("b"), file("c", 0)});
    auto sender = sending(table);
    constexpr auto kMax = std::numeric_limits<std::uint64_t>::max();
    for (const Resend &wrong : {Resend{.index = 0, .offset = 0, .length = 6},
                                Resend{.index = 0, .offset = 6, .length = 1},
                                Resend{.index = 0, .offset = 2, .length = kMax}, Resend{.index = 0},
                                Resend{.index = 1}, Resend{.index = 3}, Resend{.index = kMax}}) {
        EXPECT_EQ(refused(sender, wrong), ErrorCode::PeerProtocol);
    }
    EXPECT_TRUE(sender.on_control(Resend{.index = 2}));
}

TEST(Sender, EndsAReceiverThatNeverHasEnough) {
    auto sender = sending(files_of(1, 8 * kMiB));
    const Resend all{.index = 0, .offset = 0, .length = 8 * kMiB};
    for (int times = 0; times < 16 + 8; ++times) { // 16 times the share, and 64 MiB
        EXPECT_TRUE(sender.on_control(all)) << times;
    }
    EXPECT_EQ(refused(sender, all), ErrorCode::PeerProtocol);
}

TEST(Sender, CountsWhatComesASecondTimeAfterASkip) {
    auto sender = sending(files_of(1, 8 * kMiB));
    const IndexRanges file = {{.first = 0, .count = 1}};
    for (int times = 0; times < 16 + 8; ++times) {
        while (sender.next_segment()) {
        }
        EXPECT_TRUE(sender.on_control(Skip{.why = Skip::Why::Unwanted, .ranges = file}));
        EXPECT_TRUE(sender.on_control(Skip{.why = Skip::Why::Wanted, .ranges = file})) << times;
    }
    while (sender.next_segment()) {
    }
    EXPECT_TRUE(sender.on_control(Skip{.why = Skip::Why::Unwanted, .ranges = file}));
    EXPECT_EQ(refused(sender, Skip{.why = Skip::Why::Wanted, .ranges = file}),
              ErrorCode::PeerProtocol);
}

TEST(Sender, EndsAReceiverThatChoosesForever) {
    constexpr std::uint64_t kFiles = 10'000;
    const IndexRanges all = {{.first = 0, .count = kFiles}};
    const std::vector<ControlMessage> choices = {Skip{.why = Skip::Why::Unwanted, .ranges = all},
                                                 Skip{.why = Skip::Why::Wanted, .ranges = all},
                                                 Prioritize{all}};
    for (const auto &choice : choices) {
        auto sender = sending(files_of(kFiles, 1));
        for (int times = 0; times < 100 + 100; ++times) { // 100 times all entries, and a million
            ASSERT_TRUE(sender.on_control(choice)) << times;
        }
        EXPECT_EQ(refused(sender, choice), ErrorCode::PeerProtocol);
    }
}

TEST(Sender, EndsAReceiverThatAsksAMillionTimes) { // WIRE-12
    auto sender = sending(files_of(1, 0));
    for (int times = 0; times < 1'000'000; ++times) {
        ASSERT_TRUE(sender.on_control(Resend{.index = 0}));
    }
    EXPECT_EQ(refused(sender, Resend{.index = 0}), ErrorCode::PeerProtocol);
}

TEST(Sender, ForgetsWishesBeyondABound) { // WIRE-14
    const auto table = files_of(2 * kMaxIndexRanges, 1);
    auto sender = offering(table);
    IndexRanges every_other;
    for (std::uint64_t index = 0; index < table->size(); index += 2) {
        append_index(every_other, index);
    }
    for (int times = 0; times < 200; ++times) {
        EXPECT_TRUE(sender.on_control(Prioritize{every_other}));
    }
    EXPECT_TRUE(sender.on_control(Request{table->size()}));
    std::uint64_t sent = 0;
    while (const auto plan = sender.next_segment()) {
        sent += plan->size();
    }
    EXPECT_EQ(sent, table->size());
}

TEST(Sender, IsAllowedToCompressOnceBeforeRequest) {
    const auto files = files_of(2, 5);
    auto sender = test::offering(files);
    EXPECT_FALSE(sender.may_compress());
    EXPECT_TRUE(sender.on_control(Compress{}));
    EXPECT_TRUE(sender.may_compress());
    EXPECT_EQ(refused(sender, Compress{}), ErrorCode::PeerProtocol);
    auto late = sending(files);
    EXPECT_EQ(refused(late, Compress{}), ErrorCode::PeerProtocol);
}

TEST(Sender, RefusesToBeFollowedWithoutAnOffer) {
    auto sender = sending(files_of(2, 5));
    EXPECT_EQ(refused(sender, Follow{}), ErrorCode::PeerProtocol);
}

} // namespace
} // namespace thru::test

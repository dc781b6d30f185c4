#include "engine/event_buffer.h"

#include <gtest/gtest.h>

namespace thru {
namespace {

TEST(EventBuffer, KeepsOnlyTheLatestOfWhatIsAValue) {
    EventBuffer events([] {});
    for (std::uint64_t number = 1; number <= 1000; ++number) {
        events.push(ProgressEvent{.session = 1, .peer = "a", .files = number});
        events.push(OfferEvent{.session = 1, .peer = "a", .files = number});
        events.push(FlowEvent{1, "a", {.kind = FlowState::Kind::DiskFull, .need = number}});
    }
    events.push(ProgressEvent{.session = 1, .peer = "b", .files = 7});
    const auto waiting = events.take();
    ASSERT_EQ(waiting.size(), 4u);
    EXPECT_EQ(std::get<ProgressEvent>(waiting[0]).files, 1000u);
    EXPECT_EQ(std::get<OfferEvent>(waiting[1]).files, 1000u);
    EXPECT_EQ(std::get<FlowEvent>(waiting[2]).state.need, 1000u);
    EXPECT_EQ(std::get<ProgressEvent>(waiting[3]).files, 7u);
}

TEST(EventBuffer, KeepsEveryMappedNameAndOfMereCountsTheLatest) {
    EventBuffer events([] {});
    for (std::uint64_t number = 1; number <= 1000; ++number) {
        const bool listed = number <= 2;
        events.push(NamesMappedEvent{.session = 1,
                                     .peer = "a",
                                     .mapped_names = number,
                                     .listed_names = listed
                                                         ? std::vector<MappedName>{{"x\t", "x%09"}}
                                                         : std::vector<MappedName>{}});
    }
    const auto waiting = events.take();
    ASSERT_EQ(waiting.size(), 3u);
    EXPECT_EQ(std::get<NamesMappedEvent>(waiting[1]).mapped_names, 2u);
    EXPECT_EQ(std::get<NamesMappedEvent>(waiting[2]).mapped_names, 1000u);

    const std::string path(4096, 'p');
    for (int time = 0; time < 2000; ++time) {
        events.push(NamesMappedEvent{.session = 1, .peer = "a", .listed_names = {{path, path}}});
    }
    EXPECT_TRUE(events.full());
}

TEST(EventBuffer, IsFullUntilItIsTaken) {
    int room = 0;
    EventBuffer events([] {}, [&] { ++room; });
    events.take();
    EXPECT_EQ(room, 0);
    constexpr std::size_t kText = 1 << 20;
    for (std::size_t bytes = 0; bytes < EventBuffer::kMaxWaitingBytes; bytes += kText) {
        EXPECT_FALSE(events.full());
        events.push(TextEvent{1, "a", "text", std::string(kText, 't')});
    }
    EXPECT_TRUE(events.full());
    events.take();
    EXPECT_FALSE(events.full());
    EXPECT_EQ(room, 1);
}

TEST(EventBuffer, CountsWhatAReplacedValueTook) {
    EventBuffer events([] {});
    OfferEvent offer{.session = 1, .peer = "a"};
    for (int item = 0; item < 1000; ++item) {
        offer.items.push_back({.top = {.name = std::string(255, 'n')}});
    }
    for (int time = 0; time < 1000; ++time) {
        events.push(offer);
    }
    EXPECT_FALSE(events.full());
}

} // namespace
} // namespace thru

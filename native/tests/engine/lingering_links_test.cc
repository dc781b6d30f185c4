// Closed links that an engine waits for before its process may end.
#include <gtest/gtest.h>

#include "engine/hostile/hostile_messages.h"
#include "engine/hostile/hostile_sender.h"

namespace thru {
namespace {

/// Closes a link over which something was offered.
bool owes_reason_after(std::optional<Error> error) {
    HostileSenderTest sender;
    sender.offer({file("one")});
    sender.receiver.wait_for<OfferEvent>();
    return sender.owes_reason_after_closing(std::move(error));
}

TEST(LingeringLinks, OweTheReasonForWhichTheyWereClosed) {
    EXPECT_TRUE(owes_reason_after(Error{ErrorCode::Cancelled, 0, {}}));
}

TEST(LingeringLinks, OweNothingWhenTheyWereClosedInGoodOrder) {
    EXPECT_FALSE(owes_reason_after(std::nullopt));
}

} // namespace
} // namespace thru

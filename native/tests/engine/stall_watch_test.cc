// Both sides detect, in virtual time, that the relay between them is gone.
#include "engine/stall_watch.h"

#include <gtest/gtest.h>

#include "sim/bulk_line.h"

namespace thru {
namespace {

/// One end of a relayed transfer, checked once a second.
struct RelayedEnd {
    void look(const Connection &connection, std::uint64_t moved, Timestamp now) {
        const auto reason = watch.update(moved, true, now, [&] {
            return stall_of_network(Route::Kind::Relay, connection.silent());
        });
        reported = reason.value_or(reported);
    }

    StallWatch watch;
    StallReason reported = StallReason::None;
};

struct RelayedLine : sim::BulkLine {
    void look_for(int seconds) {
        for (int second = 0; second < seconds; ++second) {
            pair.run_until([] { return false; }, 1);
            at_sender.look(pair.sender(), receiver.received, pair.now());
            at_receiver.look(pair.receiver(), receiver.received, pair.now());
        }
    }
    void expect(StallReason reason) const {
        EXPECT_EQ(at_sender.reported, reason);
        EXPECT_EQ(at_receiver.reported, reason);
    }

    RelayedEnd at_sender;
    RelayedEnd at_receiver;
};

TEST(StallWatch, BothSidesSayWithinTenSecondsThatTheirRelayIsGone) {
    RelayedLine line;
    line.look_for(1);
    line.set_loss(1);
    line.look_for(10);
    line.expect(StallReason::Relay);
}

TEST(StallWatch, ARelayThatAnswersIsNotBlamed) {
    RelayedLine line;
    line.run(1);
    line.look_for(20);
    line.expect(StallReason::Network);
}

TEST(StallWatch, WithoutARelayItIsTheNetwork) {
    EXPECT_EQ(stall_of_network(Route::Kind::Direct, true), StallReason::Network);
    EXPECT_EQ(stall_of_network(Route::Kind::Local, true), StallReason::Network);
}

} // namespace
} // namespace thru

#include "transfer/control_intake.h"

#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "base/byte_reader.h"

namespace thru {
namespace {

/// Sends many messages at the same moment, and counts those handed on.
class Flood {
public:
    Result<> come(const ControlMessage &message, std::uint64_t count, Timestamp now) {
        Bytes bytes;
        for (std::uint64_t number = 0; number < count; ++number) {
            encode(message, bytes);
        }
        return intake_.feed(bytes, now, [this](const ControlMessage &) {
            ++handed_on_;
            return Result<>{};
        });
    }
    Result<> come(Bytes bytes, Timestamp now) {
        return intake_.feed(bytes, now, [](const ControlMessage &) { return Result<>{}; });
    }
    std::uint64_t handed_on() const { return handed_on_; }

private:
    ControlIntake intake_;
    std::uint64_t handed_on_ = 0;
};

constexpr Timestamp kStart = 1000 * kSecond;

TEST(ControlIntake, TakesABurstAndThenWhatMayComeEachSecond) {
    Flood flood;
    EXPECT_TRUE(flood.come(Pause{}, ControlIntake::kBurst, kStart));
    EXPECT_TRUE(flood.come(Resume{}, ControlIntake::kPerSecond, kStart + kSecond));
    const auto refused = flood.come(Progress{}, 1, kStart + kSecond);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::PeerProtocol);
    EXPECT_EQ(flood.handed_on(), ControlIntake::kBurst + ControlIntake::kPerSecond);
}

TEST(ControlIntake, TakesWhatMayComeForEver) {
    Flood flood;
    for (Timestamp second = 0; second < 3600; ++second) {
        ASSERT_TRUE(flood.come(Rate{second}, ControlIntake::kPerSecond, kStart + second * kSecond));
    }
}

TEST(ControlIntake, CountsUnknownMessages) {
    Flood flood;
    const Bytes unknown = {0x3f, 0x00};
    Bytes many;
    for (std::uint64_t number = 0; number <= ControlIntake::kBurst; ++number) {
        append_bytes(many, unknown);
    }
    EXPECT_FALSE(flood.come(many, kStart));
}

TEST(ControlIntake, ContinuesWhereItWasStopped) {
    ControlIntake intake;
    Bytes bytes;
    for (std::uint64_t rate = 1; rate <= 3; ++rate) {
        encode(Rate{rate}, bytes);
    }
    intake.buffer(bytes);
    std::vector<std::uint64_t> rates;
    const auto take = [&](std::size_t most) {
        return intake.process(
            kStart,
            [&](const ControlMessage &message) {
                rates.push_back(std::get<Rate>(message).bytes_per_second);
                return Result<>{};
            },
            [&] { return rates.size() < most; });
    };
    EXPECT_EQ(take(0), false);
    EXPECT_EQ(take(2), false);
    EXPECT_EQ(rates, (std::vector<std::uint64_t>{1, 2}));
    EXPECT_EQ(take(4), true);
    EXPECT_EQ(rates, (std::vector<std::uint64_t>{1, 2, 3}));
}

TEST(ControlIntake, LeavesWhatIsCountedElsewhere) {
    Flood flood;
    EXPECT_TRUE(flood.come(EntryFailed{.index = 1, .code = ErrorCode::DiskIo},
                           10 * ControlIntake::kBurst, kStart));
    EXPECT_EQ(flood.handed_on(), 10 * ControlIntake::kBurst);
}

} // namespace
} // namespace thru

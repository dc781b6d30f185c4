#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "parts/part.h"
#include "parts/texts.h"
#include "wire/control.h"

namespace thru::bench {

namespace {

/// Approximate stream data in a packet.
constexpr std::size_t kPacketBytes = 1'400;

/// Messages of a long transfer, in approximate order of frequency.
ControlMessage sample_message(std::uint64_t number) {
    switch (number % 8) {
    case 0:
        return Validator{.index = number, .validator = {1, 2, 3}};
    case 1:
        return Have{.index = number, .offset = number << 20, .hash = {1}, .validator = {1, 2, 3}};
    case 2:
        return Confirm{.index = number};
    case 3:
        return Hole{.index = number, .offset = number << 16, .length = kMinHoleBytes};
    case 4:
        return Skip{.why = Skip::Why::Present, .ranges = {{number, 10}, {number + 20, 30}}};
    default:
        return Progress{.files = number, .bytes = number << 13};
    }
}

Ready prepare_control(std::uint64_t amount) {
    std::vector<std::string> messages;
    Bytes stream;
    for (std::uint64_t number = 0; number < amount; ++number) {
        const std::size_t before = stream.size();
        encode(sample_message(number), stream);
        messages.emplace_back(as_text(ByteView(stream).subspan(before)));
    }
    return {.amount = amount,
            .run =
                [stream = std::move(stream), amount] {
                    return timed([&] {
                        ControlDecoder decoder;
                        std::uint64_t count = 0;
                        for (ByteView left = stream; !left.empty();) {
                            const auto some = left.first(std::min(left.size(), kPacketBytes));
                            left = left.subspan(some.size());
                            const auto fed =
                                decoder.each(some, [&](const ControlMessage &) -> Result<> {
                                    ++count;
                                    return {};
                                });
                            demand(fed.has_value(), "A message is not decoded");
                        }
                        demand(count == amount, "Messages are missing");
                    });
                },
            .limit = copies_of(std::move(messages))};
}

} // namespace

const Part kControl{.name = "control",
                    .what = "messages of the control stream",
                    .unit = "messages",
                    .limit = "a copy of each",
                    .amount = 1'000'000,
                    .prepare = prepare_control};

} // namespace thru::bench

// A sender in the middle of a transfer, for tests.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "transfer/manifests.h"
#include "transfer/sender.h"

namespace thru::test {

/// The file's validator.
inline WireId validator_of(std::uint64_t index) {
    return {1, static_cast<std::uint8_t>(index), static_cast<std::uint8_t>(index >> 8)};
}

inline Sender new_sender(std::shared_ptr<const ManifestTable> manifest) {
    return {std::move(manifest), {.name = "me", .share = {7}, .validator_of = validator_of}};
}

/// A sender that has made its offer.
inline Sender offering(std::shared_ptr<const ManifestTable> manifest) {
    Sender sender = new_sender(std::move(manifest));
    sender.on_checkpoint();
    EXPECT_TRUE(sender.on_control(Hello{.name = "you"}).has_value());
    sender.take_messages();
    sender.take_events();
    return sender;
}

/// A sender whose receiver has requested everything.
inline Sender sending(std::shared_ptr<const ManifestTable> manifest) {
    const std::uint64_t end = manifest->size();
    Sender sender = offering(std::move(manifest));
    EXPECT_TRUE(sender.on_control(Request{end}).has_value());
    sender.take_messages();
    sender.take_events();
    return sender;
}

inline std::vector<SegmentPlan> all_segments(Sender &sender) {
    std::vector<SegmentPlan> plans;
    while (auto plan = sender.next_segment()) {
        plans.push_back(std::move(*plan));
    }
    return plans;
}

inline ErrorCode refused(Sender &sender, const ControlMessage &message) {
    const auto result = sender.on_control(message);
    EXPECT_FALSE(result.has_value());
    return result ? ErrorCode::Internal : result.error().code;
}

} // namespace thru::test

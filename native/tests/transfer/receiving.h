// A receiver in the middle of a transfer, for tests.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "transfer/manifests.h"
#include "transfer/receiver.h"

namespace thru::test {

/// The manifest stream from entry `first`, after a checkpoint of the entries before it.
inline Bytes encoded(const ManifestTable &manifest, std::size_t first = 0) {
    Bytes bytes;
    ManifestEncoder encoder;
    for (std::size_t index = 0; index < manifest.size(); ++index) {
        if (index == first && first > 0) {
            encoder.checkpoint(bytes);
            bytes.clear();
        }
        encoder.add(manifest.entry(index), bytes);
    }
    encoder.checkpoint(bytes);
    return bytes;
}

inline Offer offer_of(const ManifestTable &manifest) {
    return {.files = manifest.files(),
            .folders = manifest.folders(),
            .links = manifest.links(),
            .bytes = manifest.bytes()};
}

inline Receiver new_receiver() { return {"me", {9}}; }

inline Receiver offered(const ManifestTable &manifest) {
    Receiver receiver = new_receiver();
    EXPECT_TRUE(receiver.on_control(Hello{.name = "you"}).has_value());
    EXPECT_TRUE(receiver.on_manifest_bytes(encoded(manifest)).has_value());
    EXPECT_TRUE(receiver.on_control(offer_of(manifest)).has_value());
    receiver.take_messages();
    receiver.take_events();
    return receiver;
}

/// A receiver that has requested everything, apart from its `choices`.
inline Receiver receiving(const ManifestTable &manifest, const ReceiverChoices &choices = {}) {
    Receiver receiver = offered(manifest);
    receiver.accept(manifest.size(), choices);
    receiver.take_messages();
    receiver.take_events();
    return receiver;
}

/// Receives a whole segment, from header to hash.
inline void receive(Receiver &receiver, const SegmentPlan &plan) {
    const auto started = receiver.on_segment_started(plan);
    ASSERT_TRUE(started.has_value()) << started.error().detail;
    receiver.on_segment_written(plan);
}

/// Publishes all complete files, as the disk would.
inline void name_whole(Receiver &receiver) {
    for (const auto &whole : only<ReceiverFilesComplete>(receiver.take_events())) {
        for (const std::uint64_t index : whole.indexes) {
            receiver.on_file_published(index, false);
        }
    }
}

inline std::vector<std::uint64_t> told_whole(Receiver &receiver) {
    const auto whole = only<ReceiverFilesComplete>(receiver.take_events());
    return whole.empty() ? std::vector<std::uint64_t>{} : whole.front().indexes;
}

inline ErrorCode refused(Receiver &receiver, const SegmentPlan &plan) {
    const auto result = receiver.on_segment_started(plan);
    EXPECT_FALSE(result.has_value());
    return result ? ErrorCode::Internal : result.error().code;
}

inline ErrorCode refused(Receiver &receiver, const ControlMessage &message) {
    const auto result = receiver.on_control(message);
    EXPECT_FALSE(result.has_value());
    return result ? ErrorCode::Internal : result.error().code;
}

} // namespace thru::test

// Segments in wire format.
#pragma once

#include <string_view>

#include <gtest/gtest.h>

#include "base/byte_reader.h"
#include "crypto/digest.h"
#include "wire/segment.h"

namespace thru::test {

inline Hash hash_of(std::string_view bytes) {
    Blake3 hasher;
    hasher.update(as_bytes(bytes));
    return hasher.finish();
}

/// The data and its hash, BLAKE3(header || BLAKE3(data)), which follow a segment's header.
inline Bytes data_and_hash(ByteView header, std::string_view data) {
    Bytes stream(as_bytes(data).begin(), as_bytes(data).end());
    Blake3 hasher;
    hasher.update(header);
    hasher.update(hash_of(data));
    append_bytes(stream, hasher.finish());
    return stream;
}

/// A whole segment; the plan must match the length of `data`.
inline Bytes segment_stream(const SegmentPlan &plan, std::string_view data) {
    EXPECT_EQ(plan_bytes(plan), data.size());
    Bytes stream;
    encode_segment_header(plan, stream);
    append_bytes(stream, data_and_hash(stream, data));
    return stream;
}

} // namespace thru::test

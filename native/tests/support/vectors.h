// The test vectors in docs/vectors, shared with the other language.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/bytes.h"

namespace thru::test {

using Json = nlohmann::json;

/// The vectors of docs/vectors/<name>.json. A missing or broken file is a failed test and no
/// vectors.
std::vector<Json> read_vectors(std::string_view name);

/// Bytes of lower-case hex; the test data is trusted to be hex.
Bytes from_hex(std::string_view hex);

/// A copy that compares and prints.
inline Bytes to_bytes(ByteView view) { return {view.begin(), view.end()}; }

/// Lower-case hex of bytes.
std::string to_hex(ByteView bytes);

/// The field `bytes` of a vector.
Bytes bytes_of(const Json &vector);

/// "E_..." of the vector's expected error; empty when none is expected.
std::string expected_error(const Json &vector);

} // namespace thru::test

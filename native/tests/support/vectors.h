// The test vectors in docs/vectors, shared with the TypeScript tests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/bytes.h"

namespace thru::test {

using Json = nlohmann::json;

/// The vectors of docs/vectors/<name>.json; none, and a failed test, if the file is invalid.
std::vector<Json> read_vectors(std::string_view name);

/// Decodes lower-case hex; test data is trusted to be valid.
Bytes from_hex(std::string_view hex);

/// A copy that can be compared and printed.
inline Bytes to_bytes(ByteView view) { return {view.begin(), view.end()}; }

/// Lower-case hex of bytes.
std::string to_hex(ByteView bytes);

Bytes bytes_of(const Json &vector);

/// The "E_..." code of the vector's expected error; empty if none is expected.
std::string expected_error(const Json &vector);

} // namespace thru::test

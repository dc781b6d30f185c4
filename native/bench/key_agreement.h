#pragma once

#include <cstdint>

/// CPU seconds that one side of CPace takes for `runs` runs.
double cpace_seconds(std::uint64_t runs);

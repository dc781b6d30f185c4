// Bulk data over simulated paths: the congestion controller under delay, loss and reordering.
#pragma once

#include <cstdint>
#include <string_view>

/// Prints a line for each path whose name contains `wanted`, measured for `seconds` of virtual
/// time: the run with the median share of `seeds` seeds, and the least share.
void print_simulated_paths(std::string_view wanted, double seconds, std::uint32_t seeds);

// Bulk data over simulated paths: what the congestion controller makes of delay, loss and disorder.
#pragma once

#include <cstdint>
#include <string_view>

/// Prints a line for each path whose name contains `wanted`, each measured for `seconds` of virtual
/// time: the run whose share is the median of those with `seeds` seeds, and the least share of all.
void print_simulated_paths(std::string_view wanted, double seconds, std::uint32_t seeds);

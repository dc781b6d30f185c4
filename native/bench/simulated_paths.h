// Bulk data over simulated paths: what the congestion controller makes of delay, loss and disorder.
#pragma once

#include <string_view>

/// Prints a line for each path whose name contains `wanted`, each measured for `seconds` of virtual
/// time.
void print_simulated_paths(std::string_view wanted, double seconds);

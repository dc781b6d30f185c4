// Several connections on one simulated link: the share of each, and their effect on the queue.
#pragma once

#include <string_view>

/// Prints a table of the trials whose name contains `wanted`; each lasts `seconds`.
void print_simulated_sharing(std::string_view wanted, double seconds);

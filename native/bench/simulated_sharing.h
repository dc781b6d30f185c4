// Several connections on one simulated link: what each gets, and what they do to the queue.
#pragma once

#include <string_view>

/// Prints a table of the trials whose name contains `wanted`, each so many seconds long.
void print_simulated_sharing(std::string_view wanted, double seconds);

#pragma once

#include <cstddef>
#include <cstdint>

/// Measures one share with `count` receivers in another process: the sender's cost while they are
/// idle, while one of them receives `bytes`, and while all of them do. Prints its progress; returns
/// false if a receiver failed.
bool print_many_receivers(std::size_t count, std::uint64_t bytes, std::uint64_t idle_seconds);

#pragma once

#include <cstddef>
#include <cstdint>

/// One share and `count` receivers of it, which live in another process: what they cost the sender
/// while they are connected and nothing moves, and what it costs to send `bytes` to one of them
/// beside the others, and to all of them together. Prints as it goes; false when one failed.
bool print_many_receivers(std::size_t count, std::uint64_t bytes, std::uint64_t idle_seconds);

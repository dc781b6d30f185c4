// A small tmpfs in a mount namespace of a child process: it needs no root and leaves no trace.
#pragma once

#include <filesystem>
#include <functional>

namespace thru::test {

/// Runs `body` in a child process that has a tmpfs with these options at its argument. Without
/// namespaces, checks only how errors of a full disk are classified.
void on_small_disk(const char *options,
                   const std::function<void(const std::filesystem::path &)> &body);

} // namespace thru::test

#pragma once

#include <cstdint>

/// Milliseconds that one page of a list of `entries` files takes.
struct FilePageTimes {
    /// On the network thread.
    double copy = 0;
    /// On the disk pool: all files by a filter, and searched by a text that few match.
    double filtered = 0;
    double searched = 0;
};
FilePageTimes file_page_times(std::uint64_t entries);

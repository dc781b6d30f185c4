#include "file_pages.h"

#include <chrono>
#include <string>

#include "engine/file_listing.h"
#include "transfer/segment_planner.h"

using thru::FileFilter;
using thru::FileStates;

namespace {

template <class Run> double milliseconds(Run run) {
    const auto begun = std::chrono::steady_clock::now();
    run();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun)
        .count();
}

} // namespace

FilePageTimes file_page_times(std::uint64_t entries) {
    const auto manifest = std::make_shared<thru::ManifestTable>();
    for (std::uint64_t index = 0; index < entries; ++index) {
        static_cast<void>(
            manifest->add({.kind = thru::EntryKind::File,
                           .path = "photos/2024/summer/day-" + std::to_string(index / 1000) +
                                   "/IMG_" + std::to_string(index) + ".jpg",
                           .size = 1}));
    }
    thru::SegmentPlanner planner(manifest, {});
    planner.set_checkpoint(entries);
    planner.request(entries);
    FilePageTimes times;
    FileStates states;
    times.copy = milliseconds([&] { states = planner.file_states(); });
    thru::FileOrder order;
    times.filtered = milliseconds([&] {
        list_files(*manifest, states, {.filter = FileFilter::Waiting, .limit = 120}, order);
    });
    times.searched = milliseconds(
        [&] { list_files(*manifest, states, {.query = "img_4711", .limit = 120}, order); });
    return times;
}

#include "engine/file_listing.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/natural_order.h"
#include "engine/list_query.h"
#include "engine/listed_states.h"

namespace thru {

namespace {

FileFilter filter_of(FileState state) {
    switch (state) {
    case FileState::Active:
    case FileState::Received:
        return FileFilter::Active;
    case FileState::Saved:
    case FileState::Sent:
    case FileState::Present:
        return FileFilter::Done;
    case FileState::Skipped:
        return FileFilter::Skipped;
    case FileState::Failed:
        return FileFilter::Problem;
    case FileState::Waiting:
    case FileState::Gone:
        break;
    }
    return FileFilter::Waiting;
}

} // namespace

const std::vector<std::uint32_t> &FileOrder::of(const ManifestTable &manifest, std::uint64_t end) {
    const auto known = static_cast<std::ptrdiff_t>(indexes_.size());
    if (indexes_.size() < end) {
        const auto less = [&manifest](std::uint32_t one, std::uint32_t other) {
            return natural_path_order(manifest.path(one), manifest.path(other)) < 0;
        };
        indexes_.resize(end);
        std::iota(indexes_.begin() + known, indexes_.end(), static_cast<std::uint32_t>(known));
        // Most folders are already sorted, and merging sorted runs is cheap.
        std::stable_sort(indexes_.begin() + known, indexes_.end(), less);
        std::inplace_merge(indexes_.begin(), indexes_.begin() + known, indexes_.end(), less);
    }
    return indexes_;
}

FilePage list_files(const ManifestTable &manifest, FileStates states, const ListFiles &asked,
                    FileOrder &order) {
    const ListQuery query(asked.query);
    FilePage page;
    std::vector<FileState> fitting(states.raw.size(), FileState::Gone);
    for_each_listed(manifest, std::move(states), [&](std::uint64_t index, FileState state) {
        const FileFilter filter = filter_of(state);
        ++page.counts[static_cast<std::size_t>(FileFilter::All)];
        ++page.counts[static_cast<std::size_t>(filter)];
        if (asked.filter == FileFilter::All || asked.filter == filter) {
            fitting[index] = state;
        }
    });
    for (const std::uint32_t index : order.of(manifest, fitting.size())) {
        if (index >= fitting.size() || fitting[index] == FileState::Gone ||
            !query.is_in(manifest.path(index))) {
            continue;
        }
        if (page.total >= asked.offset && page.files.size() < asked.limit) {
            page.files.push_back({.index = index,
                                  .path = std::string(manifest.path(index)),
                                  .kind = manifest.kind(index),
                                  .size = manifest.file_size(index),
                                  .state = fitting[index]});
        }
        ++page.total;
    }
    return page;
}

} // namespace thru

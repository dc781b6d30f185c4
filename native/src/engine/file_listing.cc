#include "engine/file_listing.h"

#include <algorithm>

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

char lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool contains(std::string_view path, std::string_view lower_query) {
    return lower_query.empty() ||
           std::ranges::search(path, lower_query, {}, lower).begin() != path.end();
}

/// Answers "is this index under way?" for rising indexes.
class RunCursor {
public:
    explicit RunCursor(std::vector<IndexRange> runs) : runs_(std::move(runs)) {
        std::ranges::sort(runs_, {}, &IndexRange::first);
    }
    bool covers(std::uint64_t index) {
        for (; next_ < runs_.size() && runs_[next_].first <= index; ++next_) {
            end_ = std::max(end_, runs_[next_].first + runs_[next_].count);
            single_ = runs_[next_].count == 1 ? runs_[next_].first : single_;
        }
        return index < end_;
    }
    /// It makes up a segment alone: a piece of it is on its way.
    bool alone(std::uint64_t index) const { return single_ == index; }

private:
    std::vector<IndexRange> runs_;
    std::size_t next_ = 0;
    std::uint64_t end_ = 0;
    std::uint64_t single_ = kMaxManifestEntries;
};

} // namespace

FilePage list_files(const ManifestTable &manifest, FileStates states, const ListFiles &asked) {
    std::string query = asked.query;
    std::ranges::transform(query, query.begin(), lower);
    RunCursor under_way(std::move(states.under_way));
    FilePage page;
    for (std::uint64_t index = 0; index < states.raw.size(); ++index) {
        FileState state = states.state_of(states.raw[index]);
        const EntryKind kind = manifest.kind(index);
        const bool listed =
            kind == EntryKind::File || (kind != EntryKind::Gone && state == FileState::Failed);
        if (state == FileState::Gone || !listed) {
            continue;
        }
        if (under_way.covers(index) &&
            (state == FileState::Sent || (state == FileState::Waiting && under_way.alone(index)))) {
            state = FileState::Active;
        }
        const FileFilter filter = filter_of(state);
        ++page.counts[static_cast<std::size_t>(FileFilter::All)];
        ++page.counts[static_cast<std::size_t>(filter)];
        const bool fits = asked.filter == FileFilter::All || asked.filter == filter;
        if (!fits || !contains(manifest.path(index), query)) {
            continue;
        }
        if (page.total >= asked.offset && page.files.size() < asked.limit) {
            page.files.push_back({.index = index,
                                  .path = std::string(manifest.path(index)),
                                  .kind = kind,
                                  .size = manifest.file_size(index),
                                  .state = state});
        }
        ++page.total;
    }
    return page;
}

} // namespace thru

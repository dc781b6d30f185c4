// The files of a transfer and their states, as lists show them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "transfer/file_states.h"
#include "transfer/manifest_table.h"

namespace thru {

/// Tests whether indexes are in transit; they must ascend.
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
    /// True if `index` is a segment's only entry: a piece of it is in transit.
    bool alone(std::uint64_t index) const { return single_ == index; }

private:
    std::vector<IndexRange> runs_;
    std::size_t next_ = 0;
    std::uint64_t end_ = 0;
    std::uint64_t single_ = kMaxManifestEntries;
};

/// Calls `use(index, state)` for each file and each failed entry, in manifest order.
template <class Use>
void for_each_listed(const ManifestTable &manifest, FileStates states, const Use &use) {
    RunCursor under_way(std::move(states.under_way));
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
        use(index, state);
    }
}

} // namespace thru

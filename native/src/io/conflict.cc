#include "io/conflict.h"

#include <array>

namespace thru {

namespace {

bool is_replaceable(fs::FileType type) {
    return type == fs::FileType::File || type == fs::FileType::Link;
}

std::uint64_t distance(std::int64_t a, std::int64_t b) {
    const auto low = static_cast<std::uint64_t>(a < b ? a : b);
    const auto high = static_cast<std::uint64_t>(a < b ? b : a);
    return high - low;
}

} // namespace

bool is_same_time(std::int64_t offered, std::int64_t stored) {
    constexpr std::array<std::int64_t, 4> kSteps = {2'000'000'000, 1'000'000'000, 10'000'000, 100};
    for (const std::int64_t step : kSteps) {
        if (stored % step == 0) {
            return distance(offered, stored) < static_cast<std::uint64_t>(step);
        }
    }
    return offered == stored;
}

bool is_newer(std::int64_t offered, std::int64_t stored) {
    return offered > stored && !is_same_time(offered, stored);
}

Standing standing_of(const ManifestTable &manifest, std::uint64_t index,
                     const std::optional<fs::FileStatus> &there, bool compare_content) {
    if (!there) {
        return Standing::Nothing;
    }
    if (!is_replaceable(there->type)) {
        return Standing::Fixed;
    }
    const bool link = manifest.kind(index) == EntryKind::Link;
    if (link != (there->type == fs::FileType::Link)) {
        return Standing::Different;
    }
    if (link) {
        return Standing::Alike;
    }
    if (there->size != manifest.file_size(index)) {
        return Standing::Different;
    }
    if (compare_content) {
        return Standing::Alike;
    }
    return is_same_time(manifest.mtime_ns(index), there->mtime_ns) ? Standing::Identical
                                                                   : Standing::Different;
}

Decision decide(const ManifestTable &manifest, std::uint64_t index,
                const std::optional<fs::FileStatus> &there, const ReceiveOptions &options) {
    switch (standing_of(manifest, index, there, options.compare_content)) {
    case Standing::Nothing:
        return Decision::Write;
    case Standing::Identical:
        return Decision::Here;
    case Standing::Alike:
        return Decision::CompareContent;
    case Standing::Different:
    case Standing::Fixed:
        break;
    }
    return decide_different(manifest, index, *there, options);
}

Decision decide_different(const ManifestTable &manifest, std::uint64_t index,
                          const fs::FileStatus &there, const ReceiveOptions &options) {
    const Decision replace =
        is_replaceable(there.type) ? Decision::WriteOver : Decision::WriteBeside;
    switch (options.conflict) {
    case ConflictPolicy::KeepBoth:
        return Decision::WriteBeside;
    case ConflictPolicy::Replace:
        return replace;
    case ConflictPolicy::ReplaceOlder:
        return is_newer(manifest.mtime_ns(index), there.mtime_ns) ? replace : Decision::LeaveOut;
    case ConflictPolicy::Skip:
        return Decision::LeaveOut;
    }
    return Decision::WriteBeside;
}

void count_decision(ConflictSummary &summary, Decision decision, std::uint64_t bytes) {
    switch (decision) {
    case Decision::Here:
        ++summary.identical;
        summary.identical_bytes += bytes;
        return;
    case Decision::WriteOver:
        ++summary.replaced;
        break;
    case Decision::WriteBeside:
        ++summary.kept_both;
        break;
    case Decision::LeaveOut:
        ++summary.left_out;
        break;
    case Decision::Write:
    case Decision::CompareContent:
        return;
    }
    ++summary.different;
}

} // namespace thru

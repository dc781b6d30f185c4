#include "io/conflict.h"

namespace thru {

bool is_same_version(const fs::FileStatus &there, std::uint64_t size, std::int64_t mtime_ns) {
    if (there.type != fs::FileType::File || there.size != size) {
        return false;
    }
    if (there.mtime_ns == mtime_ns) {
        return true;
    }
    // A coarse time is an even number of seconds, cut off or rounded from the exact one.
    const bool coarse = there.mtime_ns % kCoarseTimeNs == 0;
    const auto apart =
        there.mtime_ns > mtime_ns
            ? static_cast<std::uint64_t>(there.mtime_ns) - static_cast<std::uint64_t>(mtime_ns)
            : static_cast<std::uint64_t>(mtime_ns) - static_cast<std::uint64_t>(there.mtime_ns);
    return coarse && apart < static_cast<std::uint64_t>(kCoarseTimeNs);
}

Decision decide(const std::optional<fs::FileStatus> &there, const ManifestTable &manifest,
                std::uint64_t index, const ReceiveOptions &options) {
    if (!there) {
        return Decision::Write;
    }
    const auto size = manifest.file_size(index);
    if (there->type == fs::FileType::File) {
        if (options.compare_content && there->size == size) {
            return size == 0 ? Decision::Here : Decision::CompareContent;
        }
        if (!options.compare_content && is_same_version(*there, size, manifest.mtime_ns(index))) {
            return Decision::Here;
        }
    }
    return decide_different(*there, manifest, index, options);
}

Decision decide_different(const fs::FileStatus &there, const ManifestTable &manifest,
                          std::uint64_t index, const ReceiveOptions &options) {
    const bool replaceable = there.type == fs::FileType::File || there.type == fs::FileType::Link;
    switch (options.conflict) {
    case ConflictPolicy::KeepBoth:
        return Decision::WriteBeside;
    case ConflictPolicy::Replace:
        return replaceable ? Decision::WriteOver : Decision::WriteBeside;
    case ConflictPolicy::ReplaceOlder:
        if (manifest.mtime_ns(index) <= there.mtime_ns) {
            return Decision::LeaveOut;
        }
        return replaceable ? Decision::WriteOver : Decision::WriteBeside;
    case ConflictPolicy::Skip:
        break;
    }
    return Decision::LeaveOut;
}

void count_decision(Decision decision, std::uint64_t bytes, ConflictSummary &summary) {
    switch (decision) {
    case Decision::Write:
    case Decision::CompareContent:
        return;
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
    }
    ++summary.different;
}

} // namespace thru

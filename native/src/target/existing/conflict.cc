#include "target/existing/conflict.h"

#include <algorithm>
#include <array>

namespace thru {

bool is_same_time(std::int64_t offered, std::int64_t stored) {
    const auto later = static_cast<std::uint64_t>(offered > stored ? offered : stored);
    const auto earlier = static_cast<std::uint64_t>(offered > stored ? stored : offered);
    constexpr std::array<std::int64_t, 4> kSteps = {2'000'000'000, 1'000'000'000, 10'000'000, 100};
    for (const std::int64_t step : kSteps) {
        if (stored % step == 0) {
            return later - earlier < static_cast<std::uint64_t>(step);
        }
    }
    return offered == stored;
}

bool is_newer(std::int64_t offered, std::int64_t stored) {
    return offered > stored && !is_same_time(offered, stored);
}

bool is_same_version(const fs::FileStatus &existing, std::uint64_t size, std::int64_t mtime_ns) {
    return existing.type == fs::FileType::File && existing.size == size &&
           is_same_time(mtime_ns, existing.mtime_ns);
}

bool is_unchanged(const fs::FileStatus &before, const fs::FileStatus &now) {
    return before.type == now.type && before.id == now.id && before.size == now.size &&
           before.mtime_ns == now.mtime_ns;
}

ConflictPolicy policy_for(const ManifestTable &manifest, std::uint64_t index,
                          const ReceiveOptions &options) {
    if (options.choices) {
        if (const auto chosen = options.choices->find(manifest.path(index));
            chosen != options.choices->end()) {
            return chosen->second;
        }
    }
    return options.conflict;
}

bool compares_content(const ManifestTable &manifest, std::uint64_t index,
                      const ReceiveOptions &options) {
    // Large files are compared block by block then.
    const bool by_block = manifest.file_size(index) >= kMinBasisBytes &&
                          policy_for(manifest, index, options) == ConflictPolicy::Update;
    return options.compare_content || (!options.keep_times && !by_block);
}

Decision decide(const std::optional<fs::FileStatus> &existing, const ManifestTable &manifest,
                std::uint64_t index, const ReceiveOptions &options) {
    if (!existing) {
        return Decision::Write;
    }
    // A stream never equals an existing file.
    if (manifest.stream(index)) {
        return decide_different(*existing, manifest, index, options);
    }
    const auto size = manifest.file_size(index);
    if (manifest.kind(index) == EntryKind::Link) {
        if (existing->type == fs::FileType::Link) {
            return Decision::CompareContent;
        }
    } else if (existing->type == fs::FileType::File) {
        if (compares_content(manifest, index, options)) {
            if (existing->size == size) {
                return size == 0 ? Decision::Present : Decision::CompareContent;
            }
        } else if (is_same_version(*existing, size, manifest.mtime_ns(index))) {
            return Decision::Present;
        }
    }
    return decide_different(*existing, manifest, index, options);
}

Decision decide_different(const fs::FileStatus &existing, const ManifestTable &manifest,
                          std::uint64_t index, const ReceiveOptions &options) {
    const bool replaceable =
        existing.type == fs::FileType::File || existing.type == fs::FileType::Link;
    switch (policy_for(manifest, index, options)) {
    case ConflictPolicy::KeepBoth:
    case ConflictPolicy::UpdateUnchanged:
        return Decision::WriteBeside;
    case ConflictPolicy::Replace:
    case ConflictPolicy::Update:
        return replaceable ? Decision::WriteOver : Decision::Blocked;
    case ConflictPolicy::ReplaceOlder:
        if (!is_newer(manifest.mtime_ns(index), existing.mtime_ns)) {
            return Decision::LeaveOut;
        }
        return replaceable ? Decision::WriteOver : Decision::Blocked;
    case ConflictPolicy::Skip:
        break;
    }
    return Decision::LeaveOut;
}

Error name_taken() { return {.code = ErrorCode::TargetNotWritable, .detail = "its name is taken"}; }

bool depends_on_record(const ManifestTable &manifest, std::uint64_t index,
                       const ReceiveOptions &options, Decision decision) {
    return decision == Decision::WriteBeside && manifest.kind(index) == EntryKind::File &&
           !manifest.stream(index) &&
           policy_for(manifest, index, options) == ConflictPolicy::UpdateUnchanged;
}

bool is_updated(const ManifestTable &manifest, std::uint64_t index, const ReceiveOptions &options,
                Decision decision, const fs::FileStatus &existing) {
    const ConflictPolicy policy = policy_for(manifest, index, options);
    return decision == Decision::WriteOver && existing.type == fs::FileType::File &&
           std::min(existing.size, manifest.file_size(index)) >= kMinBasisBytes &&
           (policy == ConflictPolicy::Update || policy == ConflictPolicy::UpdateUnchanged);
}

void count_decision(Decision decision, std::uint64_t bytes, ConflictSummary &summary) {
    switch (decision) {
    case Decision::Write:
    case Decision::CompareContent:
    case Decision::Blocked:
        return;
    case Decision::Present:
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

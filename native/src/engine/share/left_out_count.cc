#include "engine/share/left_out_count.h"

#include <algorithm>
#include <string>

#include "fs/file_system.h"

namespace thru {

namespace {

LeftOutReason &reason_of(ErrorCode code, LeftOut &left_out) {
    auto &reasons = left_out.reasons;
    const auto known = std::ranges::find(reasons, code, &LeftOutReason::code);
    if (known != reasons.end()) {
        return *known;
    }
    // There are fewer codes than slots; the last slot takes any excess.
    return reasons.size() < kMaxLeftOutReasons ? reasons.emplace_back(LeftOutReason{.code = code})
                                               : reasons.back();
}

void add_path(const std::string &path, LeftOutReason &reason) {
    const bool fits = !path.empty() && path.size() <= kMaxLeftOutPathBytes;
    if (fits && reason.paths.size() < kMaxLeftOutPaths) {
        reason.paths.push_back(path);
    }
}

} // namespace

void count_left_out(const ScanProblem &problem, LeftOut &left_out) {
    LeftOutReason &reason = reason_of(problem.error.code, left_out);
    ++reason.entries;
    add_path(problem.whole_item ? fs::last_name(problem.path) : problem.path, reason);
}

void add_left_out(const LeftOut &other, LeftOut &left_out) {
    for (const LeftOutReason &added : other.reasons) {
        LeftOutReason &reason = reason_of(added.code, left_out);
        reason.entries += added.entries;
        for (const std::string &path : added.paths) {
            add_path(path, reason);
        }
    }
}

std::uint64_t count_of(const LeftOut &left_out) {
    std::uint64_t entries = 0;
    for (const LeftOutReason &reason : left_out.reasons) {
        entries += reason.entries;
    }
    return entries;
}

} // namespace thru

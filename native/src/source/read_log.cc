#include "source/read_log.h"

#include <utility>
#include <vector>

#include "crypto/digest.h"
#include "fs/file_hash.h"

namespace thru {

std::int64_t ReadLog::data_ctime(std::uint64_t index, const FileVersion &scanned) const {
    const auto content = content_.lock();
    const auto found = content->files.find(index);
    return found == content->files.end() ? scanned.ctime_ns : found->second.data_ctime_ns;
}

Result<bool> ReadLog::settle(std::uint64_t index, const FileVersion &scanned,
                             const FileVersion &now, const fs::FileHandle &file) {
    const std::lock_guard comparing(comparing_);
    std::vector<std::pair<std::uint64_t, Range>> some;
    {
        const auto content = content_.lock();
        File &known =
            content->files
                .try_emplace(index, File{.settled = scanned, .data_ctime_ns = scanned.ctime_ns})
                .first->second;
        if (known.settled == now) {
            return true;
        }
        const bool explained =
            known.settled && !known.comparing && known.settled->attributes != now.attributes;
        if (!explained && known.incomplete) {
            return fail(ErrorCode::SourceChanged, 0, "it was modified");
        }
        if (!explained && known.ranges.empty()) {
            known.data_ctime_ns = now.ctime_ns;
        }
        if (explained || known.ranges.empty()) {
            known.settled = now;
            known.comparing.reset();
            return true;
        }
        if (known.comparing != now) {
            known.comparing = now;
            known.compared = 0;
        }
        std::uint64_t bytes = 0;
        for (auto next = known.ranges.lower_bound(known.compared);
             next != known.ranges.end() && bytes < kStepBytes; ++next) {
            some.emplace_back(*next);
            bytes += next->second.hash ? next->second.length : 0;
        }
    }
    for (const auto &[offset, range] : some) {
        Blake3 hasher;
        const bool same = range.hash ? hash_range(file, offset, offset + range.length, {&hasher}) &&
                                           shortened(hasher.finish()) == *range.hash
                                     : is_zero(file, offset, offset + range.length);
        if (!same) {
            return fail(ErrorCode::SourceChanged, 0, "it was modified");
        }
    }
    const auto content = content_.lock();
    File &known = content->files.at(index);
    if (known.comparing != now) {
        return false; // Bytes of another version may have been added.
    }
    if (!some.empty()) {
        known.compared = some.back().first + 1;
    }
    if (known.ranges.lower_bound(known.compared) != known.ranges.end()) {
        return false;
    }
    known.settled = now;
    known.comparing.reset();
    return true;
}

bool ReadLog::add(const Piece &range, const FileVersion &version, const ShortHash &hash) {
    return add(range, version, Range{.length = range.length, .hash = hash});
}

void ReadLog::add_hole(const Piece &range, const FileVersion &version) {
    static_cast<void>(add(range, version, Range{.length = range.length}));
}

void ReadLog::trust(std::uint64_t index) {
    const auto content = content_.lock();
    if (const auto found = content->files.find(index);
        found != content->files.end() && content->receivers > 0) {
        found->second.incomplete = true;
    }
}

bool ReadLog::add(const Piece &range, const FileVersion &version, const Range &known) {
    const auto content = content_.lock();
    const auto found = content->files.find(range.index);
    if (found == content->files.end() || content->receivers == 0) {
        return true;
    }
    File &file = found->second;
    // The file changed between the calls: the next settle() compares everything, as after holes.
    if (file.settled != version && known.hash) {
        file.settled.reset();
    }
    if (file.comparing != version) {
        file.comparing.reset();
    }
    const auto before = file.ranges.find(range.offset);
    if (before == file.ranges.end()) {
        file.incomplete = file.incomplete || content->ranges == kMaxRanges;
        if (!file.incomplete) {
            file.ranges.emplace(range.offset, known);
            ++content->ranges;
        }
        return true;
    }
    const Range &earlier = before->second;
    const bool same = earlier.length != known.length || !earlier.hash || !known.hash ||
                      earlier.hash == known.hash;
    if (earlier.length < known.length) {
        before->second = known;
    }
    return same;
}

void ReadLog::leave() {
    const auto content = content_.lock();
    if (--content->receivers > 0) {
        return;
    }
    for (auto &[index, file] : content->files) {
        file.ranges.clear();
        file.incomplete = false;
        file.comparing.reset();
    }
    content->ranges = 0;
}

} // namespace thru

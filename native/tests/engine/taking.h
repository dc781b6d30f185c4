// One receiver's progress through a segment of a SegmentCache.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "base/bytes.h"
#include "base/lifetime.h"
#include "engine/segment_cache.h"
#include "source/share.h"

namespace thru::test {

/// The bytes that one receiver got from a segment.
class Taking {
public:
    Taking(SegmentCache &cache, const Share &share, SegmentCache::Reader reader)
        : taker_(cache, share.files), reader_(std::move(reader)) {
        taker_.set(true);
    }
    Taking(SegmentCache &cache, const Share &share, const SegmentPlan &plan)
        : Taking(cache, share, cache.open(share.files, plan, 0)) {}

    /// Takes chunks until it has this many, or all.
    void take(std::size_t chunks) {
        wanted_ = chunks;
        go_on();
    }
    void take_all() { take(1000); }
    bool done() const { return reader_.next_bytes() == 0; }
    const Bytes &got() const { return got_; }
    const std::optional<SegmentReader::Failure> &failure() const { return failure_; }

private:
    void go_on() {
        while (!waits_ && taken_ < wanted_ && !done() && !failure_) {
            auto outcome = reader_.take();
            if (!outcome) {
                waits_ = true;
                reader_.fetch(lifetime_, [this] {
                    waits_ = false;
                    go_on();
                });
                return;
            }
            if (!*outcome) {
                failure_ = outcome->error();
                return;
            }
            ++taken_;
            const auto view = (*outcome)->view();
            got_.insert(got_.end(), view.begin(), view.end());
        }
    }

    SegmentCache::Taker taker_;
    SegmentCache::Reader reader_;
    std::size_t wanted_ = 0;
    std::size_t taken_ = 0;
    bool waits_ = false;
    Bytes got_;
    std::optional<SegmentReader::Failure> failure_;
    Lifetime lifetime_;
};

} // namespace thru::test

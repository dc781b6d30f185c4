#include "target/ledger/dirty_set.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace thru {

DirtySet::Dirt &DirtySet::of(const std::shared_ptr<LargePart> &part) {
    Dirt &dirt = parts_[part->index()];
    dirt.part = part;
    return dirt;
}

void DirtySet::add_batch(Batch batch) { batches_.push_back(std::move(batch)); }

void DirtySet::add_extent(const std::shared_ptr<LargePart> &part, const Extent &extent) {
    Dirt &dirt = of(part);
    dirt.dirty = true;
    dirt.progress.erase(extent.offset);
    dirt.extents.push_back(extent);
}

void DirtySet::add_progress(const std::shared_ptr<LargePart> &part, std::uint64_t begin,
                            std::uint64_t end) {
    Dirt &dirt = of(part);
    dirt.dirty = true;
    dirt.progress[begin] = end;
}

std::optional<std::uint64_t> DirtySet::end_progress(std::uint64_t index, std::uint64_t begin) {
    const auto found = parts_.find(index);
    if (found == parts_.end()) {
        return std::nullopt;
    }
    const auto ended = found->second.progress.extract(begin);
    return ended ? std::optional(ended.mapped()) : std::nullopt;
}

void DirtySet::touch(const std::shared_ptr<LargePart> &part) { of(part).dirty = true; }

void DirtySet::forget(std::uint64_t index) { parts_.erase(index); }

void DirtySet::take(Dirt &dirt, DirtyData &into) {
    if (std::exchange(dirt.dirty, false)) {
        into.parts.push_back({.part = dirt.part, .extents = std::exchange(dirt.extents, {})});
    }
}

DirtyData DirtySet::take() {
    DirtyData taken{.batches = std::exchange(batches_, {})};
    for (auto &[index, dirt] : parts_) {
        take(dirt, taken);
    }
    std::erase_if(parts_, [](const auto &dirt) { return dirt.second.progress.empty(); });
    return taken;
}

DirtyData DirtySet::take(const std::vector<std::uint64_t> &indexes) {
    DirtyData taken{.batches = std::exchange(batches_, {})};
    for (const std::uint64_t index : indexes) {
        if (const auto found = parts_.find(index); found != parts_.end()) {
            take(found->second, taken);
        }
    }
    return taken;
}

void DirtySet::lose(DirtyData &dirty, bool everything) {
    ++generation_;
    if (everything) {
        std::ranges::move(std::exchange(batches_, {}), std::back_inserter(dirty.batches));
        for (auto &[index, dirt] : parts_) {
            if (dirt.dirty) {
                dirty.parts.push_back({.part = dirt.part});
            }
        }
    }
    for (DirtyPart &lost : dirty.parts) {
        const auto found = parts_.find(lost.part->index());
        if (found == parts_.end() || found->second.part != lost.part) {
            continue;
        }
        std::ranges::move(found->second.extents, std::back_inserter(lost.extents));
        lost.progress = std::move(found->second.progress);
        parts_.erase(found);
    }
}

} // namespace thru

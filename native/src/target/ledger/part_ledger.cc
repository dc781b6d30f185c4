#include "target/ledger/part_ledger.h"

#include <algorithm>
#include <utility>

#include "target/previous_attempt.h"

namespace thru {

PartLedger::PartLedger(EntryLedger &entries, PartStore &store, WriteLedger &writes,
                       const ManifestTable &manifest)
    : entries_(entries), store_(store), writes_(writes), manifest_(manifest) {}

void PartLedger::set_journal(Journal *journal) {
    const auto records = writes_.records_.lock();
    records->journal = journal;
    entries_.clear_slots();
}

void PartLedger::adopt_large(std::uint64_t index, const PartFile &part, fs::FileHandle file,
                             const ResumedPartial &resumed) {
    const std::uint64_t size = manifest_.file_size(index);
    const std::uint64_t end = resumed.have.offset;
    auto large = store_.adopt(index, part, std::move(file),
                              std::max(end, std::min(resumed.allocated, size)));
    const auto records = writes_.records_.lock();
    records->large[index] = {.part = std::move(large), .resumed = end};
    const auto slot = entries_.slot(index);
    if (!slot) {
        return;
    }
    if (resumed.of_basis) {
        records->log(OpenRecord{.slot = *slot, .part = part.number, .file = part.id.number});
        // kBasisValidator until the sender's own one is logged, after its Confirm: nothing here is
        // confirmed.
        records->log(ValidatorRecord{.slot = *slot, .validator = resumed.have.validator});
    }
    if (resumed.stepped_back) {
        // The last extent may exceed the verified data: it is logged again.
        const std::vector<Extent> &unlogged = resumed.unsynced;
        const std::uint64_t from =
            !unlogged.empty() && unlogged.back().end() == end ? unlogged.back().offset : end;
        if (from < size) {
            records->log(VoidRecord{.slot = *slot, .offset = from, .length = size - from});
        }
    }
    for (const ByteRange &gap : resumed.of_basis ? std::vector<ByteRange>{} : resumed.gaps) {
        records->log(VoidRecord{.slot = *slot, .offset = gap.offset, .length = gap.length});
    }
    for (const Extent &extent : resumed.unsynced) {
        records->log(ExtentRecord{.slot = *slot, .extent = extent});
    }
    for (const Hole &hole : resumed.unsynced_holes) {
        records->log(HoleRecord{.slot = *slot, .offset = hole.offset, .length = hole.length});
    }
}

void PartLedger::adopt_small(std::uint64_t index, const PartFile &part) {
    writes_.records_.lock()->small[index] = part;
}

/// Segments sent after the restart may have arrived earlier: the file stays.
void PartLedger::restart(std::uint64_t index) {
    const auto records = writes_.records_.lock();
    const auto found = records->large.find(index);
    if (found == records->large.end()) {
        return;
    }
    const std::uint64_t resumed = std::exchange(found->second.resumed, 0);
    if (const auto slot = entries_.slot(index); slot && resumed > 0) {
        records->log(VoidRecord{.slot = *slot, .offset = 0, .length = resumed});
    }
}

void PartLedger::add_hole(const std::shared_ptr<LargePart> &part, std::uint64_t offset,
                          std::uint64_t length) {
    const auto records = writes_.records_.lock();
    if (!records->has(part)) {
        return;
    }
    records->dirty.touch(part);
    if (const auto slot = entries_.slot(part->index())) {
        records->log(HoleRecord{.slot = *slot, .offset = offset, .length = length});
    }
}

std::optional<PartLedger::CompleteFile> PartLedger::find_complete(std::uint64_t index) const {
    const auto records = writes_.records_.lock();
    if (const auto small = records->small.find(index); small != records->small.end()) {
        return CompleteFile{.part = small->second};
    }
    if (const auto large = records->large.find(index); large != records->large.end()) {
        return CompleteFile{.large = large->second.part};
    }
    return std::nullopt;
}

DirtyData PartLedger::take_dirty(const std::vector<std::uint64_t> &complete) {
    writes_.dirty_bytes_ = 0;
    const auto records = writes_.records_.lock();
    if (records->journal == nullptr) {
        return records->dirty.take(complete);
    }
    DirtyData dirty = records->dirty.take();
    dirty.last_record = records->journal->last();
    return dirty;
}

void PartLedger::fail_commit(DirtyData &dirty, bool everything) {
    {
        const auto records = writes_.records_.lock();
        records->dirty.lose(dirty, everything);
        for (const DirtyPart &lost : dirty.parts) {
            const auto slot = entries_.slot(lost.part->index());
            if (!slot) {
                continue;
            }
            for (const Extent &extent : lost.extents) {
                records->log(
                    VoidRecord{.slot = *slot, .offset = extent.offset, .length = extent.length});
            }
            for (const auto &[begin, end] : lost.progress) {
                records->log(VoidRecord{.slot = *slot, .offset = begin, .length = end - begin});
            }
        }
    }
    for (const Batch &batch : dirty.batches) {
        for (const Batch::Member &member : batch.members) {
            remove(member.index);
        }
    }
}

void PartLedger::void_range(std::uint64_t index, const ByteRange &range) {
    const auto records = writes_.records_.lock();
    if (const auto slot = entries_.slot(index)) {
        records->log(VoidRecord{.slot = *slot, .offset = range.offset, .length = range.length});
    }
}

void PartLedger::set_done(std::uint64_t index) {
    entries_.set_done(index);
    {
        const auto records = writes_.records_.lock();
        records->small.erase(index);
        records->take_large(index);
    }
    store_.close(index);
}

void PartLedger::drop(std::uint64_t index) {
    entries_.set_dropped(index, true);
    remove(index);
}

void PartLedger::remove(std::uint64_t index) {
    if (entries_.is_retained(index)) {
        return;
    }
    std::shared_ptr<LargePart> large;
    std::optional<PartFile> small;
    {
        const auto records = writes_.records_.lock();
        large = records->take_large(index);
        if (const auto found = records->small.extract(index)) {
            small = found.mapped();
        }
        const auto slot = entries_.slot(index);
        if (slot && (large || small)) {
            records->log(DroppedRecord{.slot = *slot});
        }
    }
    if (small) {
        store_.discard(index, *small);
    }
    if (large) {
        store_.remove(*large);
    }
}

void PartLedger::remove_rest() {
    std::vector<std::uint64_t> indexes;
    {
        const auto records = writes_.records_.lock();
        for (const auto &[index, large] : records->large) {
            indexes.push_back(index);
        }
        for (const auto &[index, part] : records->small) {
            indexes.push_back(index);
        }
    }
    std::ranges::sort(indexes);
    for (const std::uint64_t index : indexes) {
        remove(index);
    }
}

void PartLedger::close() {
    writes_.records_.lock()->closed = true;
    store_.close_all();
}

} // namespace thru

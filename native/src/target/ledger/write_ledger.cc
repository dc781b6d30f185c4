#include "target/ledger/write_ledger.h"

#include <algorithm>
#include <utility>

namespace thru {

bool WriteLedger::Records::has(const std::shared_ptr<LargePart> &part) const {
    const auto found = large.find(part->index());
    return found != large.end() && found->second.part == part;
}

std::shared_ptr<LargePart> WriteLedger::Records::take_large(std::uint64_t index) {
    auto found = large.extract(index);
    if (!found) {
        return nullptr;
    }
    dirty.forget(index);
    return std::move(found.mapped().part);
}

std::optional<Slot> WriteLedger::resumable_slot(const LargePart &part) const {
    return store_.may_resume(part) ? entries_.slot(part.index()) : std::nullopt;
}

void WriteLedger::Records::log(const JournalRecord &record) {
    if (journal != nullptr) {
        journal->append(record);
    }
}

Result<std::shared_ptr<LargePart>> WriteLedger::large(std::uint64_t index) {
    const auto records = records_.lock();
    if (records->closed) {
        return fail(ErrorCode::Stopped, 0, "part files are closed");
    }
    if (!entries_.accepts(index)) {
        return nullptr;
    }
    std::shared_ptr<LargePart> &part = records->large[index].part;
    if (!part) {
        part = std::make_shared<LargePart>(index);
    }
    return part;
}

Result<std::shared_ptr<OpenPart>> WriteLedger::open(LargePart &part) {
    return store_.open(part, [&](const PartFile &made) {
        const auto records = records_.lock();
        if (const auto slot = entries_.slot(part.index())) {
            records->log(OpenRecord{.slot = *slot, .part = made.number, .file = made.id.number});
        }
    });
}

std::uint64_t WriteLedger::generation() const { return records_.lock()->dirty.generation(); }

bool WriteLedger::closed() const { return records_.lock()->closed; }

bool WriteLedger::add_extent(const std::shared_ptr<LargePart> &part, const Extent &extent,
                             std::uint64_t generation) {
    const auto records = records_.lock();
    if (!records->has(part)) {
        return true;
    }
    if (generation != records->dirty.generation() || records->closed) {
        records->dirty.end_progress(part->index(), extent.offset);
        return false;
    }
    records->dirty.add_extent(part, extent);
    if (const auto slot = resumable_slot(*part)) {
        records->log(ExtentRecord{.slot = *slot, .extent = extent});
    }
    return true;
}

void WriteLedger::add_progress(const std::shared_ptr<LargePart> &part, std::uint64_t begin,
                               std::uint64_t end) {
    const auto records = records_.lock();
    const auto slot = resumable_slot(*part);
    if (!slot || !records->has(part)) {
        return;
    }
    records->dirty.add_progress(part, begin, end);
    records->log(ProgressRecord{.slot = *slot, .begin = begin, .end = end});
}

void WriteLedger::void_piece(const std::shared_ptr<LargePart> &part, const Piece &piece) {
    const auto records = records_.lock();
    if (!records->has(part)) {
        return;
    }
    records->dirty.end_progress(part->index(), piece.offset);
    if (const auto slot = entries_.slot(part->index()); slot && piece.length > 0) {
        records->log(VoidRecord{.slot = *slot, .offset = piece.offset, .length = piece.length});
    }
}

std::vector<Batch::Member> WriteLedger::take_unwanted(const Records &records, Batch &batch,
                                                      bool counts) const {
    const auto wanted = [&](const Batch::Member &member) {
        return counts && entries_.accepts(member.index) && !records.small.contains(member.index);
    };
    const auto from = std::ranges::stable_partition(batch.members, wanted);
    std::vector<Batch::Member> unwanted(from.begin(), from.end());
    batch.members.erase(from.begin(), from.end());
    batch.complete = batch.complete && unwanted.empty();
    return unwanted;
}

bool WriteLedger::add_batch(Batch batch, std::uint64_t generation) {
    std::vector<Batch::Member> unwanted;
    std::vector<std::shared_ptr<LargePart>> replaced;
    bool counts = true;
    {
        const auto records = records_.lock();
        counts = generation == records->dirty.generation() && !records->closed;
        unwanted = take_unwanted(*records, batch, counts);
        BatchRecord record{.hash = batch.hash};
        for (const Batch::Member &member : batch.members) {
            records->small[member.index] = member.part;
            if (auto part = records->take_large(member.index)) {
                replaced.push_back(std::move(part));
            }
            const auto slot = entries_.slot(member.index);
            batch.complete = batch.complete && slot;
            record.members.push_back({.slot = slot.value_or(0),
                                      .part = member.part.number,
                                      .file = member.part.id.number});
        }
        if (batch.complete && !batch.members.empty()) {
            records->log(record);
        }
        if (!batch.members.empty()) {
            records->dirty.add_batch(std::move(batch));
        }
    }
    for (const Batch::Member &member : unwanted) {
        store_.discard(member.index, member.part);
    }
    for (const auto &part : replaced) {
        store_.remove(*part);
    }
    return counts;
}

void WriteLedger::flush_journal() {
    const auto records = records_.lock();
    if (records->journal != nullptr) {
        static_cast<void>(records->journal->flush());
    }
}

} // namespace thru

#include "target/ledger/entry_ledger.h"

#include <algorithm>

namespace thru {

void EntryLedger::grow(std::size_t end) {
    const auto entries = entries_.lock();
    entries->all.resize(std::max(entries->all.size(), end));
}

std::size_t EntryLedger::size() const { return entries_.lock()->all.size(); }

std::optional<Slot> EntryLedger::slot(std::uint64_t index) const {
    const Slot slot = entries_.lock()->all[index].slot;
    return slot == Entry::kNoSlot ? std::nullopt : std::optional(slot);
}

void EntryLedger::set_slot(std::uint64_t index, std::optional<Slot> slot) {
    entries_.lock()->all[index].slot = slot.value_or(Entry::kNoSlot);
}

void EntryLedger::clear_slots() {
    const auto entries = entries_.lock();
    for (Entry &entry : entries->all) {
        entry.slot = Entry::kNoSlot;
    }
}

void EntryLedger::set_dropped(std::uint64_t index, bool dropped) {
    entries_.lock()->all[index].dropped = dropped;
}

void EntryLedger::set_done(std::uint64_t index) { entries_.lock()->all[index].done = true; }

bool EntryLedger::is_done(std::uint64_t index) const { return entries_.lock()->all[index].done; }

bool EntryLedger::accepts(std::uint64_t index) const {
    const auto entries = entries_.lock();
    return !entries->all[index].dropped && !entries->all[index].done;
}

void EntryLedger::retain(std::uint64_t index) {
    const auto entries = entries_.lock();
    entries->all[index].retained = entries->all[index].slot != Entry::kNoSlot;
    entries->any_retained = entries->any_retained || entries->all[index].retained;
}

bool EntryLedger::is_retained(std::uint64_t index) const {
    return entries_.lock()->all[index].retained;
}

bool EntryLedger::retains() const { return entries_.lock()->any_retained; }

} // namespace thru

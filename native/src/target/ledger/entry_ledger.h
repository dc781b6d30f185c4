// State of each offered entry in the folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/guarded.h"
#include "journal/journal_record.h"

namespace thru {

/// Only the folder's strand changes it; const functions are for any thread.
class EntryLedger {
public:
    void grow(std::size_t end);
    std::size_t size() const;
    /// Entries below `end` are prepared.
    void set_prepared(std::size_t end) { entries_.lock()->prepared_end = end; }
    /// 0 before the first run is prepared.
    std::size_t prepared_end() const { return entries_.lock()->prepared_end.value_or(0); }
    bool any_prepared() const { return entries_.lock()->prepared_end.has_value(); }

    /// The entry's number in the journal; nullopt if the journal lacks it.
    std::optional<Slot> slot(std::uint64_t index) const;
    void set_slot(std::uint64_t index, std::optional<Slot> slot);
    void clear_slots();

    /// No data of a dropped entry is accepted.
    void set_dropped(std::uint64_t index, bool dropped);
    /// The entry is complete under its name: no more of its data is accepted.
    void set_done(std::uint64_t index);
    bool is_done(std::uint64_t index) const;
    /// True if its bytes must be written.
    bool accepts(std::uint64_t index) const;

    /// Retains its complete part file for a later attempt that can publish it. Does nothing unless
    /// the journal has the entry: no later attempt would find it otherwise.
    void retain(std::uint64_t index);
    bool is_retained(std::uint64_t index) const;
    /// True if any part file is retained.
    bool retains() const;

private:
    struct Entry {
        static constexpr Slot kNoSlot = ~Slot{0};
        Slot slot = kNoSlot;
        bool dropped = false;
        bool done = false;
        bool retained = false;
    };
    struct Entries {
        std::vector<Entry> all;
        std::optional<std::size_t> prepared_end;
        bool any_retained = false;
    };
    /// Locked last.
    Guarded<Entries> entries_;
};

} // namespace thru

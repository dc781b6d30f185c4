#include "journal/journal_content.h"

#include <algorithm>
#include <map>
#include <utility>

namespace thru {

namespace {

/// Removes [begin, end) from each run.
void cut(std::map<std::uint64_t, KnownEnd> &runs, std::uint64_t begin, std::uint64_t end) {
    for (auto next = runs.begin(); next != runs.end() && next->first < end;) {
        const auto [first, known] = *next;
        if (known.end <= begin) {
            ++next;
            continue;
        }
        next = runs.erase(next);
        if (first < begin) {
            runs[first] = {.end = begin, .record = known.record};
        }
        if (known.end > end) {
            next = runs.emplace(end, known).first;
        }
    }
}

} // namespace

FilePrefix JournalFile::prefix(std::size_t max_gaps) const {
    FilePrefix found;
    std::uint64_t end = 0;
    for (auto next = extents.begin();;) {
        while (next != extents.end() && next->first < end) {
            ++next;
        }
        if (next != extents.end() && next->first == end) {
            end = next->second.extent.end();
            found.extents.push_back(next->second);
            continue;
        }
        const auto hole = holes.upper_bound(end);
        if (hole != holes.begin() && std::prev(hole)->second.end > end) {
            end = std::prev(hole)->second.end;
            continue;
        }
        if (next == extents.end() || found.gaps.size() == max_gaps) {
            break;
        }
        const std::uint64_t known =
            hole == holes.end() ? next->first : std::min(next->first, hole->first);
        found.gaps.push_back({.offset = end, .length = known - end});
        end = known;
    }
    if (const auto written = progress.find(found.end()); written != progress.end()) {
        found.progress = written->second;
    }
    return found;
}

bool JournalContent::apply(const NumberedRecord &record) {
    const std::uint64_t number = record.carried ? kCarried : record.number;
    return !ended_ &&
           std::visit([&](const auto &logged) { return apply(logged, number); }, record.record);
}

bool JournalContent::apply(const EntriesRecord &record, std::uint64_t /*number*/) {
    std::vector<ManifestEntry> entries;
    if (!decoder_.feed(record.encoded, entries)) {
        return false;
    }
    for (const ManifestEntry &entry : entries) {
        if (!entries_->add(entry)) {
            return false;
        }
    }
    published_.resize(entries_->size());
    return true;
}

bool JournalContent::within(Slot slot, std::uint64_t offset, std::uint64_t length) const {
    return slot < slots() && length <= entries_->file_size(slot) &&
           offset <= entries_->file_size(slot) - length;
}

bool JournalContent::apply(const OpenRecord &record, std::uint64_t /*number*/) {
    if (!within(record.slot, 0, 0)) {
        return false;
    }
    JournalFile &file = files_[record.slot];
    file = {.part = record.part, .file = record.file, .validator = file.validator};
    published_[record.slot] = {};
    return true;
}

bool JournalContent::apply(const ValidatorRecord &record, std::uint64_t /*number*/) {
    if (!within(record.slot, 0, 0)) {
        return false;
    }
    files_[record.slot].validator = record.validator;
    return true;
}

bool JournalContent::apply(const ExtentRecord &record, std::uint64_t number) {
    const Extent &extent = record.extent;
    if (extent.length == 0 || !within(record.slot, extent.offset, extent.length)) {
        return false;
    }
    JournalFile &file = files_[record.slot];
    file.extents[extent.offset] = {.extent = extent, .record = number};
    file.longest = std::max(file.longest, extent.length);
    file.progress.erase(extent.offset);
    return true;
}

bool JournalContent::apply(const BatchRecord &record, std::uint64_t number) {
    if (!std::ranges::all_of(record.members,
                             [&](const auto &member) { return within(member.slot, 0, 0); })) {
        return false;
    }
    for (const BatchRecord::Member &member : record.members) {
        JournalFile &file = files_[member.slot];
        file.part = member.part;
        file.file = member.file;
        file.batch = batches_.size();
        published_[member.slot] = {};
    }
    batches_.push_back({.hash = record.hash, .members = record.members, .record = number});
    return true;
}

bool JournalContent::apply(const ProgressRecord &record, std::uint64_t number) {
    if (record.end <= record.begin ||
        !within(record.slot, record.begin, record.end - record.begin)) {
        return false;
    }
    JournalFile &file = files_[record.slot];
    file.progress[record.begin] = {.end = record.end, .record = number};
    file.longest = std::max(file.longest, record.end - record.begin);
    return true;
}

bool JournalContent::apply(const HoleRecord &record, std::uint64_t number) {
    if (record.length == 0 || !within(record.slot, record.offset, record.length)) {
        return false;
    }
    files_[record.slot].holes[record.offset] = {.end = record.offset + record.length,
                                                .record = number};
    return true;
}

bool JournalContent::apply(const SyncRecord &record, std::uint64_t number) {
    if (record.covered >= number) {
        return false;
    }
    covered_ = std::max(covered_, record.covered);
    return true;
}

bool JournalContent::apply(const PublishedRecord &record, std::uint64_t /*number*/) {
    for (const PublishedRecord::Item &item : record.items) {
        if (!within(item.slot, 0, 0)) {
            return false;
        }
        files_.erase(item.slot);
        published_[item.slot] = {.file = item.file, .published = true};
        other_names_.erase(item.slot);
        if (!item.name.empty()) {
            other_names_[item.slot] = item.name;
        }
    }
    return true;
}

bool JournalContent::apply(const VoidRecord &record, std::uint64_t /*number*/) {
    if (!within(record.slot, record.offset, record.length)) {
        return false;
    }
    const auto found = files_.find(record.slot);
    if (found == files_.end()) {
        return true;
    }
    JournalFile &file = found->second;
    const std::uint64_t end = record.offset + record.length;
    // A file may have as many of these records as extents.
    const std::uint64_t first = record.offset - std::min(record.offset, file.longest);
    const auto drop_from = [&](auto &known, const auto &end_of) {
        auto next = known.lower_bound(first);
        while (next != known.end() && next->first < end) {
            next = end_of(next->second) > record.offset ? known.erase(next) : std::next(next);
        }
    };
    drop_from(file.extents, [](const KnownExtent &known) { return known.extent.end(); });
    drop_from(file.progress, [](const KnownEnd &known) { return known.end; });
    cut(file.holes, record.offset, end);
    return true;
}

bool JournalContent::apply(const DroppedRecord &record, std::uint64_t /*number*/) {
    if (!within(record.slot, 0, 0)) {
        return false;
    }
    files_.erase(record.slot);
    published_[record.slot] = {};
    other_names_.erase(record.slot);
    return true;
}

bool JournalContent::apply(const EndRecord & /*record*/, std::uint64_t /*number*/) {
    ended_ = true;
    return true;
}

JournalContent JournalContent::only(const std::vector<bool> &slots) const {
    constexpr std::size_t kEncodedBytes = 1 << 20;
    JournalContent chosen;
    ManifestEncoder encoder;
    EntriesRecord entries;
    std::vector<PublishedRecord::Item> items;
    for (Slot slot = 0; slot < slots.size(); ++slot) {
        auto known = slots[slot] ? published(slot) : std::nullopt;
        if (!known) {
            continue;
        }
        encoder.add(entries_->entry(slot), entries.encoded);
        items.push_back({.slot = static_cast<Slot>(items.size()),
                         .file = known->file,
                         .name = std::move(known->name)});
        if (entries.encoded.size() > kEncodedBytes) {
            chosen.apply(std::exchange(entries, {}), 0);
        }
    }
    chosen.apply(entries, 0);
    chosen.apply(PublishedRecord{.items = std::move(items)}, 0);
    return chosen;
}

const JournalFile *JournalContent::file(Slot slot) const {
    const auto found = files_.find(slot);
    return found == files_.end() ? nullptr : &found->second;
}

std::optional<JournalContent::Published> JournalContent::published(Slot slot) const {
    if (!published_[slot].published) {
        return std::nullopt;
    }
    const auto other = other_names_.find(slot);
    return Published{.file = published_[slot].file,
                     .name = other == other_names_.end() ? std::string{} : other->second};
}

void JournalContent::drop_unsynced() {
    const auto lost = [&](const auto &known) { return !is_synced(known.second.record); };
    for (auto &[slot, file] : files_) {
        std::erase_if(file.extents, lost);
        std::erase_if(file.progress, lost);
        std::erase_if(file.holes, lost);
        if (file.batch && !is_synced(batches_[*file.batch].record)) {
            // The part may still exist, so it stays known and can be deleted.
            file.batch.reset();
        }
    }
}

bool JournalContent::is_complete(std::size_t batch) const {
    return std::ranges::all_of(batches_[batch].members, [&](const BatchRecord::Member &member) {
        const JournalFile *known = file(member.slot);
        return (known != nullptr && known->batch == batch) || published_[member.slot].published;
    });
}

JournalContent::Records JournalContent::records(bool carry) const {
    Records records;
    const auto add = [&](std::uint64_t record, JournalRecord logged) {
        if (is_synced(record)) {
            records.synced.push_back(std::move(logged));
        } else {
            records.written.push_back(
                {.carried = carry || record == kCarried, .record = std::move(logged)});
        }
    };
    // Computed once for all members.
    std::map<std::size_t, bool> batches;
    const auto is_complete_batch = [&](std::size_t batch) {
        const auto [inspected, fresh] = batches.try_emplace(batch, false);
        if (fresh) {
            inspected->second = is_complete(batch);
        }
        return inspected->second;
    };
    for (const auto &[slot, file] : files_) {
        if (!(file.batch && is_complete_batch(*file.batch)) && file.part != 0) {
            records.synced.push_back(
                OpenRecord{.slot = slot, .part = file.part, .file = file.file});
        }
        if (file.validator != WireId{}) {
            records.synced.push_back(ValidatorRecord{.slot = slot, .validator = file.validator});
        }
        for (const auto &[begin, known] : file.holes) {
            add(known.record,
                HoleRecord{.slot = slot, .offset = begin, .length = known.end - begin});
        }
        for (const auto &[offset, known] : file.extents) {
            add(known.record, ExtentRecord{.slot = slot, .extent = known.extent});
        }
        for (const auto &[begin, known] : file.progress) {
            add(known.record, ProgressRecord{.slot = slot, .begin = begin, .end = known.end});
        }
    }
    for (const auto &[number, complete] : batches) {
        if (complete) {
            const JournalBatch &batch = batches_[number];
            add(batch.record, BatchRecord{.hash = batch.hash, .members = batch.members});
        }
    }
    // Published files follow last, because members of batches may be published.
    PublishedRecord published;
    const auto flush = [&] {
        if (!published.items.empty()) {
            records.written.push_back({.record = std::exchange(published, {})});
        }
    };
    for (Slot slot = 0; slot < published_.size(); ++slot) {
        if (auto known = this->published(slot)) {
            published.items.push_back(
                {.slot = slot, .file = known->file, .name = std::move(known->name)});
            if (published.items.size() == kMaxPublishedItems) {
                flush();
            }
        }
    }
    flush();
    return records;
}

} // namespace thru

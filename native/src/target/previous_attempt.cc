#include "target/previous_attempt.h"

#include <algorithm>
#include <utility>

#include "crypto/digest.h"
#include "fs/file_hash.h"
#include "names/numbered_name.h"
#include "names/part_name.h"
#include "target/existing/conflict.h"

namespace thru {

namespace {

/// Extents dropped from the end before a file restarts: such a disk loses even synced data.
constexpr std::size_t kMaxStepsBack = 3;
/// Maximum number of numbered names checked for a file published before the program was killed.
constexpr unsigned kMaxNumbered = 100;
constexpr std::size_t kMaxUnknownParts = 100'000;

/// Extents and the gaps between them, reported as holes: gaps are sent again whatever the sender
/// finds there. Ends before the first extent that does not fit a run.
std::vector<Extents::Run> runs_of(const std::vector<KnownExtent> &extents,
                                  const std::optional<Extent> &rest) {
    std::vector<Extents::Run> runs;
    std::uint64_t end = 0;
    const auto add = [&](const Extent &extent) {
        if (extent.offset < end || extent.length > kSegmentBytes) {
            return false;
        }
        if (extent.offset > end) {
            runs.push_back({.length = extent.offset - end});
        }
        runs.push_back({.length = extent.length, .hash = extent.hash});
        end = extent.end();
        return true;
    };
    const bool all =
        std::ranges::all_of(extents, [&](const auto &known) { return add(known.extent); });
    if (all && rest) {
        add(*rest);
    }
    return runs;
}

} // namespace

PreviousAttempt::PreviousAttempt(FoundJournal found, bool same_sender, std::uint64_t first_part,
                                 const Target &target, const NameMap &names,
                                 const ManifestTable &manifest)
    : found_(std::move(found)), same_sender_(same_sender), first_part_(first_part),
      paths_(found_.journal.content, &names), names_(names), manifest_(manifest), cursor_(target) {
    for (const auto &[slot, file] : content().files()) {
        known_parts_.insert(file.part);
    }
}

bool PreviousAttempt::knows(Slot slot) const {
    return slot < content().slots() &&
           (content().file(slot) != nullptr || content().published(slot));
}

bool PreviousAttempt::can_forget(Slot slot) const {
    return knows(slot) && (same_sender_ || !content().published(slot));
}

std::uint64_t PreviousAttempt::part(Slot slot) const {
    const JournalFile *file = slot < content().slots() ? content().file(slot) : nullptr;
    return file == nullptr ? 0 : file->part;
}

std::optional<Slot> PreviousAttempt::match(std::uint64_t index) {
    const auto slot = paths_.find(manifest_, static_cast<std::size_t>(index));
    if (slot) {
        matched_[*slot] = index;
    }
    return slot;
}

std::optional<PreviousAttempt::OtherVersion>
PreviousAttempt::other_version(std::uint64_t index) const {
    std::optional<OtherVersion> most;
    if (!same_sender_ || manifest_.stream(index)) {
        return most;
    }
    for (const Slot slot : paths_.versions(manifest_, index)) {
        if (const std::uint64_t number = part(slot); number != 0 && !matched_.contains(slot)) {
            const std::uint64_t end = content().file(slot)->prefix(JournalFile::kMaxGaps).end();
            if (!most || end > most->end) {
                most = OtherVersion{.name = part_name(found_.tag, number), .end = end};
            }
        }
    }
    return most;
}

std::optional<SafeRelPath> PreviousAttempt::place(Slot slot) const {
    if (const auto index = matched_.find(slot); index != matched_.end()) {
        return names_.place(manifest_, index->second);
    }
    return names_.usual_place(content().entries().path(slot));
}

fs::SystemResult<fs::FileStatus> PreviousAttempt::status(std::string_view folder,
                                                         const std::string &name) {
    const auto opened = cursor_.go(folder);
    return opened ? fs::status_beneath(**opened, name) : std::unexpected(opened.error());
}

Resumed PreviousAttempt::inspect(std::uint64_t index, Slot slot) {
    const SafeRelPath place = names_.place(manifest_, index);
    if (const auto published = content().published(slot)) {
        if (!same_sender_) {
            return {};
        }
        const std::string name =
            published->name.empty() ? std::string(place.name()) : published->name;
        const auto existing = status(place.folder(), name);
        const bool ours =
            existing && existing->type == fs::FileType::File &&
            (is_same_version(*existing, manifest_.file_size(index), manifest_.mtime_ns(index)) ||
             // Its person may have changed it since another round.
             (found_.journal.header.kept == 0 && existing->size == manifest_.file_size(index) &&
              existing->id.number == published->file));
        return ours ? Resumed(ResumedPublished{.name = published->name,
                                               .file = existing->id.number,
                                               .mode = existing->mode})
                    : Resumed{};
    }
    const JournalFile *file = content().file(slot);
    if (file == nullptr || file->part == 0) {
        auto linked = find_linked(index, place);
        return linked ? Resumed(std::move(*linked)) : Resumed{};
    }
    const auto existing = status(place.folder(), part_name(found_.tag, file->part));
    if (!existing) {
        auto final =
            same_sender_ ? find_final(place, manifest_.file_size(index), file->file) : std::nullopt;
        return final ? Resumed(std::move(*final)) : Resumed{};
    }
    if (existing->type != fs::FileType::File) {
        return {};
    }
    const PartFile part{
        .number = file->part, .id = existing->id, .other_volume = cursor_.on_other_volume()};
    if (!file->batch) {
        auto partial = inspect_partial(index, *file, part);
        return partial ? Resumed(std::move(*partial)) : Resumed{};
    }
    const bool complete = same_sender_ && existing->size == manifest_.file_size(index) &&
                          is_batch_intact(*file->batch);
    return complete ? Resumed(ResumedComplete{.part = part}) : Resumed{};
}

void PreviousAttempt::add_published(const PublishedRecord &published) {
    static_cast<void>(found_.journal.content.apply({.record = published}));
}

std::optional<ResumedPublished> PreviousAttempt::find_unlogged(Slot slot) {
    const JournalFile *file = same_sender_ ? content().file(slot) : nullptr;
    const auto at = file != nullptr && file->part != 0 ? place(slot) : std::nullopt;
    if (!at || status(at->folder(), part_name(found_.tag, file->part))) {
        return std::nullopt;
    }
    return find_final(*at, content().entries().file_size(slot), file->file);
}

/// The attempt was killed between publishing and logging: the data was already synced.
std::optional<ResumedPublished>
PreviousAttempt::find_final(const SafeRelPath &place, std::uint64_t size, std::uint64_t file) {
    std::string name(place.name());
    for (unsigned number = 2; number < kMaxNumbered; ++number) {
        const auto existing = status(place.folder(), name);
        if (!existing) {
            return std::nullopt;
        }
        if (existing->type == fs::FileType::File && existing->id.number == file &&
            existing->size == size) {
            return ResumedPublished{.name = number == 2 ? std::string{} : name,
                                    .file = file,
                                    .mode = existing->mode,
                                    .unlogged = true};
        }
        name = numbered_name(place.name(), EntryKind::File, number);
    }
    return std::nullopt;
}

/// The attempt was killed between linking the name and logging that.
std::optional<ResumedPublished> PreviousAttempt::find_linked(std::uint64_t index,
                                                             const SafeRelPath &place) {
    const auto first = manifest_.first_name(index);
    const auto slot = first && same_sender_ ? paths_.find(manifest_, *first) : std::nullopt;
    if (!slot || found_.journal.header.kept != 0) {
        return std::nullopt;
    }
    const auto published = content().published(*slot);
    const JournalFile *file = content().file(*slot);
    const std::uint64_t number = published ? published->file : file != nullptr ? file->file : 0;
    return number == 0 ? std::nullopt : find_final(place, manifest_.file_size(index), number);
}

/// Cuts the prefix at the first extent, of all or only unsynced ones, that reads back wrong.
void PreviousAttempt::cut_damaged(const fs::FileHandle &file, FilePrefix &prefix, bool all) const {
    fs::drop_cache(file);
    const auto damaged = std::ranges::find_if(prefix.extents, [&](const KnownExtent &known) {
        if (!all && content().is_synced(known.record)) {
            return false;
        }
        Blake3 hasher;
        return !hash_range(file, known.extent.offset, known.extent.end(), {&hasher}) ||
               shortened(hasher.finish()) != known.extent.hash;
    });
    if (damaged != prefix.extents.end()) {
        prefix.extents.erase(damaged, prefix.extents.end());
        prefix.progress.reset();
    }
}

std::optional<ResumedPartial>
PreviousAttempt::inspect_partial(std::uint64_t index, const JournalFile &known, PartFile part) {
    // Another sender compares all bytes.
    FilePrefix prefix = known.prefix(same_sender_ ? JournalFile::kMaxGaps : 0);
    const SafeRelPath place = names_.place(manifest_, index);
    const auto folder = cursor_.go(place.folder());
    const auto file = folder ? fs::open_for_writing(**folder, part_name(found_.tag, part.number))
                             : std::unexpected(folder.error());
    const auto status = file ? fs::status_of(*file) : std::unexpected(file.error());
    if (!status) {
        return std::nullopt;
    }
    part.id = status->id;
    // File numbers can change at a restart, and on FAT and user-space file systems also when memory
    // is low. Then all recorded extents must be intact.
    const bool numbered_anew = part.id.number != known.file;
    const bool doubtful = found_.doubtful || part.other_volume;
    // Otherwise data would be read back from memory.
    if (doubtful && !fs::sync_data(*file)) {
        return std::nullopt;
    }
    if (numbered_anew || doubtful) {
        cut_damaged(*file, prefix, numbered_anew);
    }
    const std::size_t logged = known.extents.size() + known.progress.size();
    for (std::size_t back = 0; back <= kMaxStepsBack; ++back) {
        std::vector<KnownExtent> &extents = prefix.extents;
        const Extent last = extents.empty() ? Extent{} : extents.back().extent;
        const std::uint64_t end = prefix.progress ? prefix.progress->end : last.end();
        if (end == 0) {
            return std::nullopt;
        }
        Blake3 of_last;
        Blake3 of_both;
        Blake3 of_rest;
        const bool intact = hash_range(*file, last.offset, last.end(), {&of_last, &of_both}) &&
                            (extents.empty() || shortened(of_last.finish()) == last.hash) &&
                            hash_range(*file, last.end(), end, {&of_both, &of_rest});
        if (!intact) {
            prefix.progress.reset();
            if (!extents.empty()) {
                extents.pop_back();
            }
            // The disk lost data after all, possibly more than this.
            cut_damaged(*file, prefix, false);
            continue;
        }
        Have have{.index = index,
                  .offset = end,
                  .hash_begin = last.offset,
                  .hash = of_both.finish(),
                  .validator = known.validator};
        if (!same_sender_) {
            Blake3 of_all;
            if (!hash_range(*file, 0, end, {&of_all})) {
                return std::nullopt;
            }
            have = {.index = index, .offset = end, .hash_begin = 0, .hash = of_all.finish()};
        }
        std::erase_if(prefix.gaps, [&](const auto &gap) { return gap.offset >= end; });
        ResumedPartial resumed{
            .part = part, .have = have, .gaps = prefix.gaps, .allocated = status->allocated};
        for (const KnownExtent &extent : extents) {
            if (!content().is_synced(extent.record)) {
                resumed.unsynced.push_back(extent.extent);
            }
        }
        std::optional<Extent> rest;
        if (prefix.progress) {
            rest = Extent{.offset = last.end(),
                          .length = end - last.end(),
                          .hash = shortened(of_rest.finish())};
            resumed.unsynced.push_back(*rest);
        }
        if (same_sender_) {
            resumed.extents = runs_of(extents, rest);
        }
        bool holes_beyond = false;
        for (const auto &[begin, hole] : known.holes) {
            holes_beyond = holes_beyond || hole.end > end;
            if (begin < end && !content().is_synced(hole.record)) {
                resumed.unsynced_holes.push_back(
                    {.offset = begin, .length = std::min(hole.end, end) - begin});
            }
        }
        resumed.stepped_back = holes_beyond || extents.size() < known.extents.size() ||
                               !known.progress.empty() ||
                               logged != extents.size() + (prefix.progress ? 1 : 0);
        return resumed;
    }
    return std::nullopt;
}

bool PreviousAttempt::is_batch_intact(std::size_t batch) {
    const auto [known, fresh] = intact_batches_.try_emplace(batch, false);
    if (!fresh) {
        return known->second;
    }
    const JournalBatch &inspected = content().batches()[batch];
    Blake3 hasher;
    known->second =
        content().is_complete(batch) &&
        std::ranges::all_of(inspected.members,
                            [&](const auto &member) { return hash_member(member, hasher); }) &&
        shortened(hasher.finish()) == inspected.hash;
    return known->second;
}

/// The file's present name: the attempt may have been killed during publishing.
std::optional<std::string> PreviousAttempt::name_of(const BatchRecord::Member &member,
                                                    const SafeRelPath &at) {
    if (const auto published = content().published(member.slot)) {
        return published->name.empty() ? std::string(at.name()) : published->name;
    }
    std::string part = part_name(found_.tag, member.part);
    if (status(at.folder(), part)) {
        return part;
    }
    const auto final = find_final(at, content().entries().file_size(member.slot), member.file);
    return final ? std::optional(final->name.empty() ? std::string(at.name()) : final->name)
                 : std::nullopt;
}

bool PreviousAttempt::hash_member(const BatchRecord::Member &member, Blake3 &hasher) {
    const auto at = place(member.slot);
    const auto name = at ? name_of(member, *at) : std::nullopt;
    const auto folder = name ? cursor_.go(at->folder())
                             : std::unexpected(fs::SystemError{.kind = fs::ErrorKind::NotFound});
    const auto file =
        folder ? fs::open_beneath_for_reading(**folder, *name) : std::unexpected(folder.error());
    return file && hash_range(*file, 0, content().entries().file_size(member.slot), {&hasher});
}

void PreviousAttempt::remove_unknown_parts(const fs::FileHandle &folder) const {
    const std::string prefix = std::string(kPartPrefix) + found_.tag + "-";
    const auto names = fs::list_names(folder, prefix, kMaxUnknownParts);
    for (const std::string &name : names.value_or(std::vector<std::string>{})) {
        const std::uint64_t number = part_number(found_.tag, name);
        const bool own = number > first_part_ && number <= first_part_ + kMaxParts;
        if (number != 0 && !own && !known_parts_.contains(number)) {
            static_cast<void>(fs::remove_file(folder, name));
        }
    }
}

void PreviousAttempt::remove_part(Slot slot) {
    const JournalFile *file = content().file(slot);
    const auto at = place(slot);
    if (file == nullptr || file->part == 0 || !at) {
        return;
    }
    if (const auto folder = cursor_.go(at->folder())) {
        static_cast<void>(fs::remove_file(**folder, part_name(found_.tag, file->part)));
    }
}

void PreviousAttempt::remove_unmatched() {
    for (const auto &[slot, file] : content().files()) {
        if (!matched_.contains(slot)) {
            remove_part(slot);
        }
    }
}

} // namespace thru

#include "target/deletion/deletions.h"

#include <algorithm>
#include <chrono>
#include <functional>

#include "names/code_points.h"
#include "names/numbered_name.h"
#include "target/deletion/delete_partial.h"
#include "target/existing/conflict.h"
#include "target/older/basis_copy.h"

namespace thru {

namespace {

constexpr unsigned kFolderBit = 1;
constexpr unsigned kFileBit = 2;
constexpr std::uint64_t kKindBits = kFolderBit | kFileBit;

unsigned bit_of(EntryKind kind) { return kind == EntryKind::Folder ? kFolderBit : kFileBit; }

/// The lowest bits are free for the kind.
std::uint64_t hash_of(const std::string &place) {
    return std::hash<std::string>{}(place) & ~kKindBits;
}

std::string_view item_of(std::string_view path) { return path.substr(0, path.find('/')); }

/// The day in UTC, such as 2026-11-29.
std::string today() {
    const auto days =
        std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now().time_since_epoch());
    const std::chrono::year_month_day date{std::chrono::sys_days{days}};
    const auto two_digits = [](unsigned number) {
        return std::string(number < 10 ? "0" : "") + std::to_string(number);
    };
    return std::to_string(static_cast<int>(date.year())) + "-" +
           two_digits(static_cast<unsigned>(date.month())) + "-" +
           two_digits(static_cast<unsigned>(date.day()));
}

} // namespace

Deletions::Deletions(ReceiveFolder::State &state, const JournalContent &content, std::size_t end)
    : state_(state), manifest_(*state.manifest), content_(content), paths_(content, &state.names),
      end_(end), present_(end), is_present_(content.slots()), needed_(content.slots()),
      has_older_(content.slots()), from_(state.target), to_(state.target) {
    note_offered();
    // The latest slot comes first, because only the latest version can be at a place.
    for (std::size_t slot = content.slots(); slot > 0; --slot) {
        const auto older = static_cast<Slot>(slot - 1);
        if (content.published(older) && !is_present_[older]) {
            sort_out(older);
        }
    }
    std::ranges::sort(going_, [](const Old &a, const Old &b) {
        return a.place < b.place || (a.place == b.place && a.slot > b.slot);
    });
    going_.erase(std::ranges::unique(going_, {}, &Old::place).begin(), going_.end());
    const std::size_t blockers = in_the_way_.size();
    for (std::size_t blocker = 0; blocker < blockers; ++blocker) {
        if (content.entries().kind(in_the_way_[blocker].slot) == EntryKind::Folder) {
            const std::string below = in_the_way_[blocker].place + "/";
            for (auto next = std::ranges::lower_bound(going_, below, {}, &Old::place);
                 next != going_.end() && next->place.starts_with(below); ++next) {
                in_the_way_.push_back(*next);
            }
        }
    }
    std::ranges::sort(in_the_way_, {}, &Old::place);
}

void Deletions::note_offered() {
    for (std::uint64_t index = 0; index < end_; ++index) {
        if (!state_.names.has(index) || manifest_.text(index)) {
            continue;
        }
        const unsigned kind = bit_of(manifest_.kind(index));
        note_place(state_.names.place(manifest_, index).text(), kind);
        const JournalPath known = state_.names.journal_path(manifest_, index);
        const std::string_view path = known.text();
        if (item_of(path) != path) {
            items_.emplace(item_of(path));
        }
        const auto slot = paths_.find(path);
        if (slot && is_present(index, *slot)) {
            present_[index] = *slot;
            is_present_[*slot] = true;
            if (const auto place = place_of(*slot)) {
                note_place(*place, kind);
            }
        }
    }
    std::ranges::sort(offered_);
    std::ranges::sort(offered_alike_);
}

void Deletions::note_place(const std::string &place, unsigned kind) {
    offered_.push_back(hash_of(place) | kind);
    offered_alike_.push_back(hash_of(folded(place)) | kind);
}

bool Deletions::is_present(std::uint64_t index, Slot slot) const {
    const ManifestTable &entries = content_.entries();
    const EntryKind kind = manifest_.kind(index);
    if (!content_.published(slot) || entries.kind(slot) != kind) {
        return false;
    }
    if (kind == EntryKind::Link) {
        return entries.target(slot) == state_.names.target(manifest_, index);
    }
    return kind == EntryKind::Folder || (entries.file_size(slot) == manifest_.file_size(index) &&
                                         entries.mtime_ns(slot) == manifest_.mtime_ns(index));
}

std::optional<std::string> Deletions::place_of(Slot slot) const {
    const auto usual = state_.names.usual_place(content_.entries().path(slot));
    const auto published = content_.published(slot);
    if (!usual || !published || published->name.empty()) {
        return usual ? std::optional(usual->text()) : std::nullopt;
    }
    const std::string folder(usual->folder());
    return folder.empty() ? published->name : folder + "/" + published->name;
}

unsigned Deletions::kinds_in(const std::vector<std::uint64_t> &hashes, std::uint64_t hash) {
    unsigned kinds = 0;
    for (auto next = std::ranges::lower_bound(hashes, hash);
         next != hashes.end() && (*next & ~kKindBits) == hash; ++next) {
        kinds |= static_cast<unsigned>(*next & kKindBits);
    }
    return kinds;
}

void Deletions::sort_out(Slot slot) {
    auto place = place_of(slot);
    if (!place) {
        return;
    }
    const unsigned kinds = kinds_in(offered_alike_, hash_of(folded(*place)));
    const unsigned exact = kinds_in(offered_, hash_of(*place));
    const unsigned own = bit_of(content_.entries().kind(slot));
    const bool whole_item = own == kFolderBit && place->find('/') == std::string::npos;
    if (kinds == 0) {
        going_.push_back({.place = std::move(*place), .slot = slot});
    } else if (((exact == 0 ? kinds : exact) & own) != 0) {
        // An older version. It is replaced, unless receiving the new one fails.
        const Slot latest = paths_.find(content_.entries().path(slot)).value_or(slot);
        needed_[slot] = !is_present_[latest] && !has_older_[latest];
        has_older_[latest] = true;
    } else if (!whole_item) {
        in_the_way_.push_back({.place = std::move(*place), .slot = slot});
    }
}

std::map<std::pair<std::uint64_t, std::int64_t>, std::string> Deletions::going() const {
    std::map<std::pair<std::uint64_t, std::int64_t>, std::string> files;
    const ManifestTable &entries = content_.entries();
    for (const Old &old : going_) {
        if (entries.kind(old.slot) == EntryKind::File &&
            entries.file_size(old.slot) >= kMinBasisBytes) {
            files.try_emplace({entries.file_size(old.slot), entries.mtime_ns(old.slot)}, old.place);
        }
    }
    return files;
}

bool Deletions::clear_way(StepBudget &budget) {
    while (!in_the_way_.empty()) {
        remove(in_the_way_.back());
        in_the_way_.pop_back();
        if (!budget.spend(1)) {
            return false;
        }
    }
    return true;
}

/// True if the item of this name is still offered, and not empty.
bool Deletions::is_safe(const std::string &root) {
    if (items_.contains(root)) {
        return true;
    }
    if (refused_items_.insert(root).second) {
        report(root, KeptEntry::Why::ItemGone);
    }
    return false;
}

void Deletions::move_rest(bool whole) {
    if (!whole && !going_.empty()) {
        report({}, KeptEntry::Why::Incomplete);
    }
    // Contents precede their folder.
    for (; !going_.empty(); going_.pop_back()) {
        const Old &old = going_.back();
        if (whole && is_safe(std::string(item_of(content_.entries().path(old.slot))))) {
            remove(old);
        } else {
            needed_[old.slot] = true;
        }
    }
    keep_rest();
}

void Deletions::keep_rest() {
    for (const Old &old : going_) {
        needed_[old.slot] = true;
    }
    for (std::size_t slot = 0; slot < is_present_.size(); ++slot) {
        needed_[slot] = needed_[slot] || is_present_[slot];
    }
}

void Deletions::remove(const Old &old) {
    switch (try_to_remove(old)) {
    case Outcome::Moved:
        ++state_.deletions.moved;
        break;
    case Outcome::Changed:
        // It belongs to the receiver's person now.
        report(old.place, KeptEntry::Why::Changed);
        break;
    case Outcome::Failed:
        needed_[old.slot] = true;
        report(old.place, KeptEntry::Why::Failed);
        break;
    case Outcome::InUse:
        needed_[old.slot] = true;
        break;
    case Outcome::Gone:
        break;
    }
}

Deletions::Outcome Deletions::try_to_remove(const Old &old) {
    const auto folder = from_.go(folder_of(old.place));
    const std::string name(name_of(old.place));
    const auto status =
        folder ? fs::status_beneath(**folder, name) : std::unexpected(folder.error());
    if (!status) {
        const auto kind = status.error().kind;
        const bool gone = kind == fs::ErrorKind::NotFound || kind == fs::ErrorKind::NotFolder ||
                          kind == fs::ErrorKind::Link;
        return gone ? Outcome::Gone : Outcome::Failed;
    }
    const bool is_folder = status->type == fs::FileType::Folder;
    if (content_.entries().kind(old.slot) == EntryKind::Folder) {
        if (!is_folder) {
            return Outcome::Gone;
        }
        // Parts of a killed attempt: no offered file is in this folder.
        if (const auto opened = fs::open_folder_beneath(**folder, name)) {
            delete_parts(*opened, state_.store.tag());
        }
        const bool removed = fs::remove_folder(**folder, name).has_value();
        if (removed) {
            state_.made_folders.add(folder_of(old.place));
        }
        return removed ? Outcome::Gone : Outcome::InUse;
    }
    if (!is_as_made(old.slot, **folder, name, *status)) {
        return Outcome::Changed;
    }
    return move_away(**folder, old) ? Outcome::Moved : Outcome::Failed;
}

bool Deletions::is_as_made(Slot slot, const fs::FileHandle &folder, const std::string &name,
                           const fs::FileStatus &status) const {
    const ManifestTable &entries = content_.entries();
    if (entries.kind(slot) == EntryKind::Link) {
        return status.type == fs::FileType::Link &&
               fs::read_link(folder, name) == std::string(entries.target(slot));
    }
    return is_same_version(status, entries.file_size(slot), entries.mtime_ns(slot));
}

/// A name that is taken in the folder of the day goes to another one, such as `2026-11-29 (2)`.
bool Deletions::move_away(const fs::FileHandle &folder, const Old &old) {
    constexpr unsigned kMaxFolders = 1000;
    const auto is_taken = [](fs::ErrorKind kind) {
        return kind == fs::ErrorKind::Exists || kind == fs::ErrorKind::NotFolder ||
               kind == fs::ErrorKind::Link;
    };
    const std::string name(name_of(old.place));
    const unsigned first = folder_number_;
    for (; folder_number_ <= kMaxFolders; ++folder_number_) {
        std::string day = std::string(kRemovedFolder) + "/";
        day += folder_number_ == 1 ? today()
                                   : numbered_name(today(), EntryKind::Folder, folder_number_);
        const std::string above(folder_of(old.place));
        const std::string there = above.empty() ? day : day + "/" + above;
        const auto made = to_.make(there, state_.made_folders);
        if (!made) {
            const auto found = to_.go(there);
            if (found || !is_taken(found.error().kind)) {
                break;
            }
            continue;
        }
        const auto moved = fs::move_new(folder, name, **made, name);
        if (moved) {
            state_.made_folders.add(above);
            state_.made_folders.add(there);
            state_.deletions.folder = std::move(day);
            return true;
        }
        if (!is_taken(moved.error().kind)) {
            break;
        }
    }
    folder_number_ = first;
    return false;
}

void Deletions::report(const std::string &path, KeptEntry::Why why) {
    if (++state_.deletions.kept <= kMaxListedNames) {
        state_.deletions.listed.push_back({.path = path, .why = why});
    }
}

} // namespace thru

#include "journal/journal_search.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "crypto/digest.h"
#include "names/part_name.h"
#include "names/safe_rel_path.h"

namespace thru {

namespace {

constexpr std::size_t kMaxJournals = 64;
/// Maximum number of names, including part files, searched for journals.
constexpr std::size_t kMaxNames = 100'000;
constexpr std::string_view kSuffix = ".journal";

/// True if the process was killed before it wrote the header.
bool never_began(const fs::FileHandle &file) {
    Bytes front(kJournalHeaderBytes);
    const auto got = fs::read_at(file, 0, front);
    return got && (*got < front.size() ||
                   std::ranges::all_of(front, [](std::uint8_t byte) { return byte == 0; }));
}

/// Removes files of processes that were killed while they probed the folder or began a journal.
void remove_leftovers(const fs::FileHandle &root) {
    const auto names = fs::list_names(root, kPartPrefix, kMaxNames);
    for (const std::string &name : names.value_or(std::vector<std::string>{})) {
        if (name.ends_with(kProbeSuffix) ||
            (name.ends_with(kFreshSuffix) && lock_journal(root, name))) {
            static_cast<void>(fs::remove_file(root, name));
        }
    }
}

/// Number of files in the journal that don't have their final names yet.
std::size_t unfinished(const JournalContent &content, const JournalPaths &paths) {
    std::size_t count = 0;
    for (Slot slot = 0; slot < content.slots(); ++slot) {
        // Other versions of a file are older.
        const bool latest = paths.find(content.entries().path(slot)) == slot;
        count += latest && !content.published(slot) ? 1 : 0;
    }
    return count;
}

/// Number of these that are offered now, in this version or in any.
std::size_t unfinished(const JournalContent &content, const JournalPaths &paths,
                       const ManifestTable &manifest, std::size_t end, bool any_version) {
    std::size_t count = 0;
    for (std::size_t index = 0; index < end; ++index) {
        const bool by_path = any_version && manifest.kind(index) == EntryKind::File;
        const auto slot = by_path ? paths.latest(manifest, index) : paths.find(manifest, index);
        count += slot && !content.published(*slot) ? 1 : 0;
    }
    return count;
}

} // namespace

JournalPaths::JournalPaths(const JournalContent &content, const NameMap *names)
    : content_(content), names_(names), slots_(content.slots()) {
    std::iota(slots_.begin(), slots_.end(), Slot{0});
    const ManifestTable &entries = content.entries();
    std::ranges::sort(slots_, [&](Slot a, Slot b) {
        const int order = entries.path(a).compare(entries.path(b));
        return order < 0 || (order == 0 && a > b);
    });
}

std::span<const Slot> JournalPaths::versions(std::string_view path) const {
    const auto path_of = [this](Slot slot) { return content_.entries().path(slot); };
    const auto found = std::ranges::equal_range(slots_, path, {}, path_of);
    return {found.begin(), found.end()};
}

std::span<const Slot> JournalPaths::versions(const ManifestTable &manifest,
                                             std::size_t index) const {
    return versions(names_ == nullptr ? manifest.path(index)
                                      : names_->journal_path(manifest, index).text());
}

std::optional<Slot> JournalPaths::latest(const ManifestTable &manifest, std::size_t index) const {
    const auto slots = versions(manifest, index);
    return slots.empty() ? std::nullopt : std::optional(slots.front());
}

std::optional<Slot> JournalPaths::find(std::string_view path) const {
    const auto slots = versions(path);
    return slots.empty() ? std::nullopt : std::optional(slots.front());
}

std::optional<Slot> JournalPaths::find(const ManifestTable &manifest, std::size_t index) const {
    const auto slot =
        manifest.kind(index) == EntryKind::File ? latest(manifest, index) : std::nullopt;
    const ManifestTable &entries = content_.entries();
    const bool same = slot && entries.kind(*slot) == EntryKind::File &&
                      entries.file_size(*slot) == manifest.file_size(index) &&
                      entries.mtime_ns(*slot) == manifest.mtime_ns(index);
    return same ? slot : std::nullopt;
}

std::optional<fs::FileHandle> lock_journal(const fs::FileHandle &root, const std::string &name) {
    auto file = fs::open_for_writing(root, name);
    if (!file) {
        return std::nullopt;
    }
    const auto locked = fs::try_lock(*file);
    // The holder of the lock may have replaced the file.
    const auto opened = fs::status_of(*file);
    const auto named = fs::status_beneath(root, name);
    if (!locked || !*locked || !opened || !named || opened->id != named->id ||
        opened->type != fs::FileType::File) {
        return std::nullopt;
    }
    return std::move(*file);
}

std::vector<std::string> journal_names(const fs::FileHandle &root) {
    auto names = fs::list_names(root, kPartPrefix, kMaxNames).value_or(std::vector<std::string>{});
    std::erase_if(names, [](const std::string &name) { return !name.ends_with(kSuffix); });
    std::ranges::sort(names);
    names.resize(std::min(names.size(), kMaxJournals));
    return names;
}

std::string journal_tag(std::string_view name) {
    return std::string(
        name.substr(kPartPrefix.size(), name.size() - kPartPrefix.size() - kSuffix.size()));
}

bool is_of_share(const JournalHeader &header, const TransferIds &ids) {
    return header.share == ids.share && header.origin == ids.origin && ids.origin != OriginId{};
}

std::optional<FoundJournal> find_journal(const fs::FileHandle &root, const ManifestTable &manifest,
                                         std::size_t end, const TransferIds &ids,
                                         const NameMap *names) {
    remove_leftovers(root);
    std::optional<FoundJournal> best;
    std::size_t most = 0;
    for (const std::string &name : journal_names(root)) {
        auto file = lock_journal(root, name);
        if (!file) {
            continue;
        }
        auto journal = read_journal(*file);
        // A complete journal of this share is as good as any other.
        const bool same_share = journal && is_of_share(journal->header, ids);
        if (journal ? journal->content.ended() && !same_share : never_began(*file)) {
            static_cast<void>(fs::remove_file(root, name));
            continue;
        }
        if (!journal) {
            continue;
        }
        // Part files of other versions from the same sender are useful, too.
        const bool same_sender = journal->header.origin == ids.origin && ids.origin != OriginId{};
        const bool kept = journal->header.kept != 0;
        if (kept && !same_sender) {
            continue;
        }
        const JournalPaths paths(journal->content, names);
        const std::size_t files = unfinished(journal->content, paths, manifest, end, same_sender);
        // Resuming deletes its other files, so they must not be the majority.
        const bool mostly_offered = 2 * files >= unfinished(journal->content, paths);
        if (!same_share && !kept && (files <= most || !mostly_offered)) {
            continue;
        }
        best = {.tag = journal_tag(name), .file = std::move(*file), .journal = std::move(*journal)};
        most = files;
        if (same_share || kept) {
            break;
        }
    }
    return best;
}

std::uint64_t resumable_bytes(const fs::FileHandle &root, const ManifestTable &manifest,
                              std::size_t end, const NameMap *names) {
    std::uint64_t most = 0;
    for (const std::string &name : journal_names(root)) {
        const auto file = fs::open_beneath_for_reading(root, name);
        const auto journal = file ? read_journal(*file) : std::nullopt;
        if (!journal || journal->content.ended()) {
            continue;
        }
        const JournalPaths paths(journal->content, names);
        std::uint64_t bytes = 0;
        for (std::size_t index = 0; index < end; ++index) {
            const auto slot = paths.find(manifest, index);
            const JournalFile *known = slot ? journal->content.file(*slot) : nullptr;
            if (known != nullptr) {
                bytes += known->batch ? manifest.file_size(index) : known->prefix(0).end();
            }
        }
        most = std::max(most, bytes);
    }
    return most;
}

ShortHash current_boot() {
    const std::string id = fs::boot_id();
    if (id.empty()) {
        return {};
    }
    Blake3 hasher;
    hasher.update(as_bytes(id));
    return shortened(hasher.finish());
}

bool is_same_boot(const JournalHeader &header, const fs::VolumeFacts &volume) {
    return header.boot != ShortHash{} && header.boot == current_boot() &&
           header.volume_device == volume.id.device && header.volume_number == volume.id.number;
}

} // namespace thru

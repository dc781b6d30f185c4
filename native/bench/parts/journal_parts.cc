#include <algorithm>
#include <memory>
#include <string>

#include "journal/journal.h"
#include "parts/files.h"
#include "parts/part.h"
#include "parts/texts.h"
#include "target/publish.h"

namespace thru::bench {

namespace {

constexpr std::uint64_t kLoggedFiles = 200'000;
/// A segment holds this many files of 6 kB.
constexpr std::uint64_t kFilesOfBatch = 1'365;
constexpr std::uint64_t kFirstFileNumber = 1'000;
constexpr const char *kTag = "aabbcc";

/// A folder for a journal, and the files that it lists.
struct JournalTrial {
    explicit JournalTrial(std::uint64_t files) : manifest(sample_manifest(sample_paths(files))) {}

    void remove() const { std::filesystem::remove(path()); }
    std::string path() const { return folder.below(journal_name(kTag).c_str()); }

    OwnFolder folder;
    fs::FileHandle root = fs::open_folder(folder.path().string()).value();
    std::shared_ptr<const ManifestTable> manifest;
};

/// Logs a receive of small files: they are added, received in batches, synced and named.
void log_all(const JournalTrial &trial) {
    const auto created = Journal::create(trial.root, kTag, {.id = {7}, .share = {1}});
    demand(created.has_value(), "A journal is not made");
    Journal &journal = **created;
    const std::uint64_t files = trial.manifest->size();
    for (std::uint64_t index = 0; index < files; ++index) {
        demand(journal.add(trial.manifest->entry(index)).has_value(), "A journal is full");
    }
    for (std::uint64_t first = 0; first < files; first += kFilesOfBatch) {
        const std::uint64_t end = std::min(files, first + kFilesOfBatch);
        BatchRecord batch{.hash = {1, 2, 3}};
        PublishedRecord published;
        for (std::uint64_t index = first; index < end; ++index) {
            const auto slot = static_cast<Slot>(index);
            const std::uint64_t file = kFirstFileNumber + index;
            batch.members.push_back({.slot = slot, .part = index + 1, .file = file});
            published.items.push_back({.slot = slot, .file = file});
        }
        journal.append(batch);
        journal.append(SyncRecord{.covered = journal.last()});
        log_published(journal, published);
        demand(journal.flush().has_value(), "A journal is not written");
    }
    demand(journal.sync().has_value(), "A journal is not synced");
}

Ready prepare_append(std::uint64_t amount) {
    const auto trial = std::make_shared<const JournalTrial>(amount);
    log_all(*trial);
    const std::uint64_t bytes = std::filesystem::file_size(trial->path());
    trial->remove();
    return {.amount = amount,
            .run =
                [trial] {
                    const Took took = timed([&] { log_all(*trial); });
                    trial->remove();
                    return took;
                },
            .limit =
                [trial, bytes] {
                    const std::string path = trial->folder.below("written.bin");
                    const Took took = timed([&] { write_file(path, bytes); });
                    std::filesystem::remove(path);
                    return took;
                }};
}

Ready prepare_replay(std::uint64_t amount) {
    const auto trial = std::make_shared<const JournalTrial>(amount);
    log_all(*trial);
    return {.amount = amount,
            .run =
                [trial, amount] {
                    return timed([&] {
                        const auto file = fs::open_for_reading(trial->path());
                        const auto journal = read_journal(file.value());
                        demand(journal && journal->content.slots() == amount &&
                                   journal->content.published(static_cast<Slot>(amount - 1)),
                               "A journal is not read to its end");
                    });
                },
            .limit = [trial] { return timed([&] { read_file(trial->path()); }); }};
}

} // namespace

const Part kJournalAppend{.name = "journal-append",
                          .what = "all that a journal logs of small files, synced at its end",
                          .unit = "files",
                          .limit = "write and sync of as many bytes",
                          .amount = kLoggedFiles,
                          .prepare = prepare_append};
const Part kJournalReplay{.name = "journal-replay",
                          .what = "the same journal read again",
                          .unit = "files",
                          .limit = "read of its bytes",
                          .amount = kLoggedFiles,
                          .prepare = prepare_replay};

} // namespace thru::bench

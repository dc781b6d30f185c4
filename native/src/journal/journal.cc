#include "journal/journal.h"

#include <algorithm>
#include <utility>

#include "names/safe_rel_path.h"

namespace thru {

namespace {

constexpr std::uint64_t kReserveStep = 256 * 1024;
/// Space reserved ahead, so that a full disk is noticed while records still fit.
constexpr std::uint64_t kRecordsReserved = 128 * 1024;
/// Bytes of entries per record; one more entry of maximum length may follow.
constexpr std::size_t kEntriesBytes = 24 * 1024;
constexpr std::size_t kWriteBytes = 1 << 20;
/// Maximum number of bytes kept in memory while the disk is full.
constexpr std::size_t kMaxBuffer = 4 << 20;
constexpr std::uint64_t kCompactBytes = 16ULL << 20;
constexpr std::uint64_t kCompactFactor = 4;

constexpr fs::SystemError kUnreadable{.kind = fs::ErrorKind::Io};

/// Attempts to create a journal that other processes remove before it is locked.
constexpr unsigned kMaxTries = 3;

/// The name of a journal until it is readable.
std::string fresh_name(std::string_view tag) {
    return journal_name(tag) + std::string(kFreshSuffix);
}

static_assert(kEntriesBytes + 2 * kMaxPathBytes + 64 <= kMaxRecordPayload);

} // namespace

std::string journal_name(std::string_view tag) {
    return std::string(kPartPrefix) + std::string(tag) + ".journal";
}

std::optional<JournalHeader> read_header(const fs::FileHandle &file) {
    Bytes front(kJournalHeaderBytes);
    const auto got = fs::read_at(file, 0, front);
    return got ? decode_header(ByteView(front).first(*got)) : std::nullopt;
}

std::optional<ReadJournal> read_journal(const fs::FileHandle &file) {
    const auto header = read_header(file);
    if (!header) {
        return std::nullopt;
    }
    Bytes window;
    ReadJournal journal{.header = *header, .bytes = kJournalHeaderBytes};
    const std::uint32_t seed = journal_seed(*header);
    const auto status = fs::status_of(file);
    const std::uint64_t size = std::min(status ? status->size : 0, kMaxJournalBytes);
    std::size_t used = 0;
    std::uint64_t read = kJournalHeaderBytes;
    for (std::uint64_t number = 1;; ++number) {
        if (window.size() - used < kMaxRecordBytes && read < size) {
            window.erase(window.begin(), window.begin() + static_cast<std::ptrdiff_t>(used));
            used = 0;
            const std::size_t unread = window.size();
            window.resize(unread + std::min<std::uint64_t>(kWriteBytes, size - read));
            const auto more = fs::read_at(file, read, MutableByteView(window).subspan(unread));
            window.resize(unread + more.value_or(0));
            read = more && *more > 0 ? read + *more : size;
        }
        ByteReader reader(ByteView(window).subspan(used));
        const auto record = decode_record(reader, seed);
        if (!record || record->number != number || !journal.content.apply(*record)) {
            return journal;
        }
        used += reader.consumed();
        journal.bytes += reader.consumed();
    }
}

Journal::Journal(const fs::FileHandle &root, std::string tag, const JournalHeader &header)
    : root_(root), tag_(std::move(tag)), header_(header), seed_(journal_seed(header)),
      compact_at_(kCompactBytes) {}

fs::SystemResult<std::unique_ptr<Journal>>
Journal::begin(const fs::FileHandle &root, std::string tag, const JournalHeader &header) {
    const std::string name = fresh_name(tag);
    auto file = fs::create_file(root, name, fs::kPrivateMode);
    for (unsigned tries = 0; file && tries < kMaxTries; ++tries) {
        // A process that searches for journals may mistake this one for a killed process's. If
        // files can't be locked at all, no process resumes from them.
        if (const auto locked = fs::try_lock(*file); !locked || *locked) {
            break;
        }
        static_cast<void>(file->close());
        static_cast<void>(fs::remove_file(root, name));
        file = fs::create_file(root, name, fs::kPrivateMode);
    }
    if (!file) {
        return std::unexpected(file.error());
    }
    std::unique_ptr<Journal> journal(new Journal(root, std::move(tag), header));
    journal->file_ = std::move(*file);
    encode_header(header, journal->buffer_);
    if (auto written = journal->flush(); !written) {
        journal->remove_fresh();
        return std::unexpected(written.error());
    }
    return journal;
}

void Journal::remove_fresh() {
    static_cast<void>(file_.close());
    static_cast<void>(fs::remove_file(root_, fresh_name(tag_)));
}

fs::SystemResult<std::unique_ptr<Journal>>
Journal::create(const fs::FileHandle &root, std::string tag, const JournalHeader &header) {
    auto journal = begin(root, std::move(tag), header);
    if (!journal) {
        return journal;
    }
    const std::string &its = (*journal)->tag_;
    if (auto named = fs::rename_new(root, fresh_name(its), journal_name(its)); !named) {
        (*journal)->remove_fresh();
        return std::unexpected(named.error());
    }
    return journal;
}

fs::SystemResult<std::unique_ptr<Journal>>
Journal::resume_from(const fs::FileHandle &root, std::string tag, const JournalHeader &header,
                     const JournalContent &content, fs::FileHandle old) {
    // The lock is kept to the end, so no other process can lock the replaced journal.
    return rewrite(root, std::move(tag), header, content, old, true);
}

fs::SystemResult<std::unique_ptr<Journal>>
Journal::rewrite(const fs::FileHandle &root, std::string tag, const JournalHeader &header,
                 const JournalContent &content, fs::FileHandle &old, bool carry) {
    // A killed attempt may have left this file.
    static_cast<void>(fs::remove_file(root, fresh_name(tag)));
    auto journal = begin(root, std::move(tag), header);
    if (!journal) {
        return journal;
    }
    const std::string &its = (*journal)->tag_;
    const auto replaced = [&]() -> fs::SystemResult<> {
        if (auto taken = (*journal)->copy_from(content, carry); !taken) {
            return taken;
        }
        if (auto synced = fs::sync_data((*journal)->file_); !synced) {
            return synced;
        }
        auto named = fs::rename_over(root, fresh_name(its), journal_name(its));
        // FAT and Windows network drives can't replace an open file. If another process opens it in
        // between, this only fails again.
        if (!named && named.error().kind == fs::ErrorKind::Refused) {
            static_cast<void>(old.close());
            named = fs::rename_over(root, fresh_name(its), journal_name(its));
        }
        return named;
    }();
    if (!replaced) {
        (*journal)->remove_fresh();
        return std::unexpected(replaced.error());
    }
    (*journal)->compact_at_ = std::max(kCompactBytes, kCompactFactor * (*journal)->written_);
    return journal;
}

fs::SystemResult<> Journal::copy_from(const JournalContent &content, bool carry) {
    for (std::size_t slot = 0; slot < content.slots(); ++slot) {
        static_cast<void>(add(content.entries().entry(slot)));
    }
    const std::lock_guard lock(mutex_);
    const JournalContent::Records records = content.records(carry);
    for (const JournalRecord &record : records.synced) {
        append_locked({.record = record});
    }
    end_entries();
    append_locked({.record = SyncRecord{.covered = number_}});
    for (const NumberedRecord &record : records.written) {
        append_locked(record);
    }
    if (auto written = flush_locked(); !written) {
        return written;
    }
    // A replacement must not be shorter than the original.
    return broken_ ? fs::SystemResult<>(std::unexpected(*broken_)) : fs::SystemResult<>{};
}

std::optional<Slot> Journal::add(const ManifestEntry &entry) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t path_bytes = path_bytes_ + entry.path.size() + entry.target.size();
    // The decoder has the same limits.
    if (broken_ || slots_ >= kMaxManifestEntries || path_bytes > kMaxManifestPathBytes ||
        entry.size > kMaxTotalBytes - file_bytes_ ||
        entry_bytes_ + entries_.size() + 2 * kMaxPathBytes + 64 > kMaxManifestBytes) {
        return std::nullopt;
    }
    encoder_.add(entry, entries_);
    path_bytes_ = path_bytes;
    file_bytes_ += entry.size;
    if (entries_.size() >= kEntriesBytes) {
        end_entries();
    }
    return static_cast<Slot>(slots_++);
}

void Journal::end_entries() {
    if (entries_.empty()) {
        return;
    }
    entry_bytes_ += entries_.size();
    // Entries never become obsolete.
    compact_at_ += kCompactFactor * entries_.size();
    append_locked({.record = EntriesRecord{.encoded = std::exchange(entries_, {})}});
}

void Journal::append(const JournalRecord &record) {
    const std::lock_guard lock(mutex_);
    has_records_ = has_records_ || !std::holds_alternative<SyncRecord>(record);
    append_locked({.record = record});
}

bool Journal::has_records() const {
    const std::lock_guard lock(mutex_);
    return has_records_;
}

void Journal::append_locked(const NumberedRecord &record) {
    if (!std::holds_alternative<EntriesRecord>(record.record)) {
        // The record may refer to them.
        end_entries();
    }
    if (broken_) {
        return;
    }
    encode_record({.number = ++number_, .carried = record.carried, .record = record.record}, seed_,
                  buffer_);
    if (buffer_.size() < kWriteBytes) {
        return;
    }
    if (const auto written = flush_locked(); !written && buffer_.size() > kMaxBuffer) {
        broken_ = written.error();
    }
}

std::uint64_t Journal::last() const {
    const std::lock_guard lock(mutex_);
    return number_;
}

fs::SystemResult<> Journal::flush() {
    const std::lock_guard lock(mutex_);
    return flush_locked();
}

fs::SystemResult<> Journal::flush_locked() {
    end_entries();
    if (buffer_.empty() || broken_) {
        return {};
    }
    if (written_ + buffer_.size() > kMaxJournalBytes) {
        broken_ = fs::SystemError{.kind = fs::ErrorKind::Full};
        return {};
    }
    reserve_ahead();
    const auto written = fs::write_at(file_, written_, buffer_);
    if (written) {
        written_ += buffer_.size();
        buffer_.clear();
    }
    return written;
}

void Journal::reserve_ahead() {
    const std::uint64_t needed = written_ + buffer_.size() + kRecordsReserved;
    if (needed <= reserved_) {
        return;
    }
    const std::uint64_t steps = (needed + kReserveStep - 1) / kReserveStep;
    if (fs::reserve(file_, 0, steps * kReserveStep)) {
        reserved_ = steps * kReserveStep;
    }
}

fs::SystemResult<> Journal::sync() {
    const std::lock_guard lock(mutex_);
    if (auto written = flush_locked(); !written) {
        return written;
    }
    if (!file_.is_open()) {
        return {}; // the receive goes on without a journal
    }
    if (doubtful_) {
        const auto content = read_back_locked();
        if (auto rewritten = content ? rewrite_locked(*content) : std::unexpected(kUnreadable);
            !rewritten) {
            return rewritten;
        }
    }
    if (auto synced = fs::sync_data(file_); !synced) {
        doubtful_ = true;
        return synced;
    }
    if (name_synced_) {
        return {};
    }
    auto synced = fs::sync_folder(root_);
    name_synced_ = synced.has_value();
    return synced;
}

void Journal::compact_if_large() {
    const std::lock_guard lock(mutex_);
    if (written_ < compact_at_ || broken_ || !flush_locked()) {
        return;
    }
    compact_at_ = kCompactFactor * written_;
    if (const auto content = read_back_locked()) {
        static_cast<void>(rewrite_locked(*content));
    }
}

std::optional<JournalContent> Journal::read_back() {
    const std::lock_guard lock(mutex_);
    return flush_locked() ? read_back_locked() : std::nullopt;
}

/// All written data is at least in memory, so it can be read back.
std::optional<JournalContent> Journal::read_back_locked() {
    auto journal = read_journal(file_);
    return journal && journal->bytes == written_ ? std::optional(std::move(journal->content))
                                                 : std::nullopt;
}

fs::SystemResult<> Journal::keep_only(const JournalContent &content,
                                      const std::vector<bool> &slots) {
    const std::lock_guard lock(mutex_);
    if (auto kept = rewrite_locked(content.only(slots)); !kept) {
        return kept;
    }
    name_synced_ = fs::sync_folder(root_).has_value();
    return {};
}

fs::SystemResult<> Journal::rewrite_locked(const JournalContent &content) {
    JournalHeader header = header_;
    // A different seed, so no record of the old journal is valid in the new one.
    ++header.id.front();
    auto fresh = rewrite(root_, tag_, header, content, file_, false);
    if (!fresh) {
        reopen_locked(fresh.error());
        return std::unexpected(fresh.error());
    }
    Journal &other = **fresh;
    header_ = other.header_;
    seed_ = other.seed_;
    file_ = std::move(other.file_);
    encoder_ = std::move(other.encoder_);
    slots_ = other.slots_;
    entry_bytes_ = other.entry_bytes_;
    path_bytes_ = other.path_bytes_;
    file_bytes_ = other.file_bytes_;
    number_ = other.number_;
    written_ = other.written_;
    reserved_ = other.reserved_;
    compact_at_ = other.compact_at_;
    name_synced_ = false;
    doubtful_ = false;
    return {};
}

/// Opens the file that could not be replaced, if it was closed for that.
void Journal::reopen_locked(const fs::SystemError &error) {
    if (file_.is_open()) {
        return;
    }
    auto file = fs::open_for_writing(root_, journal_name(tag_));
    const auto locked = file ? fs::try_lock(*file) : std::unexpected(file.error());
    if (locked && *locked) {
        file_ = std::move(*file);
    } else {
        broken_ = error;
    }
}

fs::SystemResult<> Journal::end() {
    append(EndRecord{});
    // If it remains, the next search deletes it.
    static_cast<void>(sync());
    const std::lock_guard lock(mutex_);
    broken_ = fs::SystemError{.kind = fs::ErrorKind::Gone};
    static_cast<void>(file_.close());
    if (auto removed = fs::remove_file(root_, journal_name(tag_)); !removed) {
        return removed;
    }
    return fs::sync_folder(root_);
}

} // namespace thru

#include "source/source_files.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/byte_reader.h"
#include "base/stable_list.h"
#include "crypto/digest.h"
#include "crypto/random.h"
#include "source/open_folders.h"

namespace thru {

namespace {

Error source_changed(std::string detail) {
    return {.code = ErrorCode::SourceChanged, .detail = std::move(detail)};
}

Error opening_error(const fs::SystemError &error) {
    switch (error.kind) {
    case fs::ErrorKind::Link:
        return source_changed("it is a link now");
    case fs::ErrorKind::NotFound:
        return fs::reading_error(error, "it was deleted");
    default:
        return fs::reading_error(error, "open");
    }
}

constexpr std::size_t kMaxDisks = 1000;

const WireId &process_secret() {
    static const WireId secret = [] {
        WireId random;
        random_bytes(random);
        return random;
    }();
    return secret;
}

} // namespace

struct SourceFiles::State {
    /// 32 bytes each, for up to a million files.
    struct Source {
        FileVersion version;
        /// FileId::number; the device would add no information.
        std::uint64_t number = 0;
        std::uint32_t place = 0;
        /// Index in `disks`.
        std::uint16_t disk = 0;
        bool stable = false;
    };

    std::shared_ptr<const TreeScan> scan;
    StableList<Source, kMaxManifestEntries> sources;
    /// All disks seen, usually few; those beyond kMaxDisks count as the last.
    std::vector<std::uint64_t> disks;
    OpenFolders folders;
    ReadLog read_log;

    fs::SystemResult<fs::FileHandle> open(const Source &source, std::string_view path);
    std::uint16_t disk_number(std::uint64_t disk);
};

std::uint16_t SourceFiles::State::disk_number(std::uint64_t disk) {
    auto found = std::ranges::find(disks, disk);
    if (found == disks.end() && disks.size() < kMaxDisks) {
        found = disks.insert(found, disk);
    }
    const auto place = std::min<std::ptrdiff_t>(found - disks.begin(), kMaxDisks - 1);
    return static_cast<std::uint16_t>(place);
}

fs::SystemResult<fs::FileHandle> SourceFiles::State::open(const Source &source,
                                                          std::string_view path) {
    const SourcePlace &place = scan->place(source.place);
    if (path.size() == place.prefix) {
        return fs::open_for_reading(place.path);
    }
    const auto folder = folders.get(source.place, place.path);
    if (!folder) {
        return std::unexpected(folder.error());
    }
    auto file = fs::open_beneath_for_reading(**folder, path.substr(place.prefix + 1));
    if (!file) {
        // Another folder may have replaced it, or a drive may have been reconnected.
        folders.drop(source.place);
    }
    return file;
}

SourceFiles::SourceFiles(std::shared_ptr<const ManifestTable> manifest,
                         std::shared_ptr<const TreeScan> scan)
    : manifest_(std::move(manifest)), state_(std::make_unique<State>()) {
    state_->scan = std::move(scan);
}

SourceFiles::~SourceFiles() = default;

void SourceFiles::add(const ScannedEntry &scanned) {
    state_->sources.push_back({.version = scanned.identity.version,
                               .number = scanned.identity.id.number,
                               .place = scanned.place,
                               .disk = state_->disk_number(scanned.identity.id.device),
                               .stable = scanned.identity.stable});
}

const std::string &SourceFiles::item_path(std::uint64_t index) const {
    return state_->scan->place(state_->sources[index].place).path;
}

std::uint64_t SourceFiles::disk(std::uint64_t index) const {
    return state_->disks[state_->sources[index].disk];
}

WireId SourceFiles::validator(std::uint64_t index) const {
    Blake3 hash;
    if (const std::string *content = text(index)) {
        hash.update(as_bytes(*content));
    } else {
        const State::Source &source = state_->sources[index];
        Bytes facts;
        for (const std::uint64_t fact :
             {manifest_->file_size(index), static_cast<std::uint64_t>(manifest_->mtime_ns(index)),
              static_cast<std::uint64_t>(state_->read_log.data_ctime(index, source.version))}) {
            append_big_endian(facts, fact, sizeof(fact));
        }
        hash.update(facts);
        if (!source.stable) {
            // A change right after the scan may have left the same times. Only this process, which
            // checks the file each time, can know that it is unchanged.
            hash.update(process_secret());
        }
    }
    const Digest digest = hash.finish();
    WireId id;
    std::ranges::copy_n(digest.begin(), id.size(), id.begin());
    if (id == WireId{}) {
        id.back() = 1; // zero means no validator
    }
    return id;
}

ReadLog &SourceFiles::read_log() const { return state_->read_log; }

Result<SourceFiles::OpenFile> SourceFiles::open(std::uint64_t index) const {
    auto file = state_->open(state_->sources[index], manifest_->path(index));
    if (!file) {
        return std::unexpected(opening_error(file.error()));
    }
    const auto version = check(index, *file);
    if (!version) {
        return std::unexpected(version.error());
    }
    return OpenFile{.handle = std::move(*file), .version = *version};
}

Result<FileVersion> SourceFiles::check(std::uint64_t index, const fs::FileHandle &file) const {
    const auto status = fs::status_of(file);
    if (!status) {
        return std::unexpected(fs::reading_error(status.error(), "look at"));
    }
    if (status->type != fs::FileType::File) {
        return std::unexpected(source_changed("it is not a file now"));
    }
    const State::Source &source = state_->sources[index];
    const std::uint64_t size = manifest_->file_size(index);
    const bool same_number = status->id.number == source.number;
    // FAT and user-space file systems assign new numbers when memory is low. The number therefore
    // counts only if the times are inconclusive.
    const bool identical =
        same_number || (source.stable && status->ctime_ns == source.version.ctime_ns);
    if (status->size == size && status->mtime_ns == manifest_->mtime_ns(index) && identical) {
        return FileVersion{.ctime_ns = status->ctime_ns, .attributes = status->attributes};
    }
    return std::unexpected(source_changed(!same_number          ? "it was replaced by another file"
                                          : status->size > size ? "it grew"
                                          : status->size < size ? "it became shorter"
                                                                : "it was modified"));
}

Result<bool> SourceFiles::settle(std::uint64_t index, const FileVersion &now,
                                 const fs::FileHandle &file) const {
    return state_->read_log.settle(index, state_->sources[index].version, now, file);
}

Result<fs::DataRun> SourceFiles::next_data(std::uint64_t index, std::uint64_t offset) const {
    const auto file = open(index);
    if (!file) {
        return std::unexpected(file.error());
    }
    const std::uint64_t size = manifest_->file_size(index);
    const auto find_data = [&](std::uint64_t from) { return fs::next_data(file->handle, from); };
    auto run = find_data(offset);
    if (run && run->begin - offset < kMinHoleBytes) {
        run->begin = offset;
    }
    // Extends the run over small holes, at most to a segment's length.
    while (run && run->end < size && run->end - run->begin < kSegmentBytes) {
        const auto next = find_data(run->end);
        if (!next) {
            return std::unexpected(fs::reading_error(next.error(), "look for holes"));
        }
        // During truncation the end does not advance.
        if (next->begin - run->end >= kMinHoleBytes || next->end <= run->end) {
            break;
        }
        run->end = next->end;
    }
    if (!run) {
        return std::unexpected(fs::reading_error(run.error(), "look for holes"));
    }
    // Holes are not read: checks that no data was written into one meanwhile.
    const auto version = check(index, file->handle);
    if (!version) {
        return std::unexpected(version.error());
    }
    if (run->begin > offset) {
        state_->read_log.add_hole({.index = index, .offset = offset, .length = run->begin - offset},
                                  *version);
    }
    // No later call checks the version after the last data.
    while (run->begin == size) {
        const auto settled = settle(index, *version, file->handle);
        if (!settled) {
            return std::unexpected(settled.error());
        }
        if (*settled) {
            break;
        }
    }
    return *run;
}

const std::string *SourceFiles::text(std::uint64_t index) const {
    return manifest_->text(index) ? &state_->scan->place(state_->sources[index].place).text
                                  : nullptr;
}

} // namespace thru

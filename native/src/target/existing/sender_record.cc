#include "target/existing/sender_record.h"

#include <algorithm>
#include <array>

#include "base/bytes.h"
#include "crypto/digest.h"
#include "crypto/hkdf.h"
#include "crypto/length_prefix.h"
#include "target/existing/conflict.h"

namespace thru {

namespace {

constexpr std::string_view kContext = "thru sender record";
/// The change time can't be recorded exactly, because recording changes it.
constexpr std::int64_t kChangeTimeStep = 250'000'000;
/// A computer under load may need more than one step to record a file.
constexpr int kAttempts = 5;

using Record = std::array<std::uint8_t, 16>;

Bytes number(std::uint64_t value) {
    Bytes bytes(sizeof(value));
    for (std::uint8_t &byte : bytes) {
        byte = static_cast<std::uint8_t>(value);
        value >>= 8;
    }
    return bytes;
}

Record record_of(const RecordKey &key, const fs::FileStatus &file, std::string_view path,
                 std::int64_t change_step) {
    const Digest hash =
        hmac_sha256(key, lv_cat({as_bytes(path), number(file.id.number), number(file.size),
                                 number(static_cast<std::uint64_t>(file.mtime_ns)),
                                 number(static_cast<std::uint64_t>(change_step))}));
    Record record{};
    std::copy_n(hash.begin(), record.size(), record.begin());
    return record;
}

bool is_valid(const RecordKey &key, const fs::FileStatus &file, std::string_view path,
              const Record &record) {
    // The file system may have no change time, and report this one instead.
    if (file.ctime_ns == file.mtime_ns) {
        return false;
    }
    const std::int64_t step = file.ctime_ns / kChangeTimeStep;
    return record == record_of(key, file, path, step) ||
           record == record_of(key, file, path, step - 1);
}

} // namespace

std::optional<RecordKey> record_key(const SecretKey &installation, const OriginId &origin) {
    if (origin == OriginId{}) {
        return std::nullopt;
    }
    const SecretKey derived =
        hkdf_sha256(installation.view(), {}, lv_cat({as_bytes(kContext), origin}));
    RecordKey key{};
    std::ranges::copy(derived.view(), key.begin());
    return key;
}

void SenderRecords::write(const fs::FileHandle &folder, const std::string &name,
                          const fs::FileStatus &published, const ManifestTable &manifest,
                          std::uint64_t index) const {
    // Streams of one name have nothing else in common.
    if (!key_ || manifest.stream(index) || published.size != manifest.file_size(index)) {
        return;
    }
    const auto file = fs::open_for_writing(folder, name);
    for (int attempt = 0; file && attempt < kAttempts; ++attempt) {
        const auto before = fs::status_of(*file);
        if (!before || !is_unchanged(published, *before)) {
            return;
        }
        const Record record =
            record_of(*key_, *before, manifest.path(index), before->ctime_ns / kChangeTimeStep);
        if (!fs::set_sender_record(*file, record)) {
            return;
        }
        const auto after = fs::status_of(*file);
        if (after && after->ctime_ns - before->ctime_ns < kChangeTimeStep) {
            return;
        }
    }
}

bool SenderRecords::cover(const fs::FileHandle &folder, const std::string &name,
                          const fs::FileStatus &existing, std::string_view path) const {
    // Another name of the file would keep the old version.
    if (!key_ || existing.type != fs::FileType::File || existing.links > 1) {
        return false;
    }
    const auto file = fs::open_beneath_for_reading(folder, name);
    const auto now = file ? fs::status_of(*file) : std::unexpected(file.error());
    Record record{};
    return now && is_unchanged(existing, *now) && existing.ctime_ns == now->ctime_ns &&
           fs::read_sender_record(*file, record) && is_valid(*key_, existing, path, record);
}

} // namespace thru

// Records of who sent a published file, by which its next version may replace it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "crypto/secret_key.h"
#include "fs/file_system.h"
#include "transfer/manifest_table.h"
#include "transfer/receive_options.h"

namespace thru {

/// The TransferIds::record_key for files of this origin; nullopt if the sender showed none.
std::optional<RecordKey> record_key(const SecretKey &installation, const OriginId &origin);

/// A record is a keyed hash in an attribute of the file. It covers the path in the offer, the
/// file's number, size and modification time, and approximately its change time. Tools that reset
/// the modification time can't hide a change from it, and no copy of the file has a valid one. Any
/// thread.
class SenderRecords {
public:
    /// Without a key nothing is recorded or recognized.
    explicit SenderRecords(const std::optional<RecordKey> &key) : key_(key) {}

    /// Records that the file `name` with this status was just published for entry `index`.
    void write(const fs::FileHandle &folder, const std::string &name,
               const fs::FileStatus &published, const ManifestTable &manifest,
               std::uint64_t index) const;
    /// True if this sender sent the file for the same path, and it is unchanged since.
    bool cover(const fs::FileHandle &folder, const std::string &name,
               const fs::FileStatus &existing, std::string_view path) const;

private:
    std::optional<RecordKey> key_;
};

} // namespace thru

// The receiver's choices for one transfer, and the ids that identify it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "wire/control.h"

namespace thru {

/// Treatment of a file whose name is taken by one that is not identical. Folders are merged.
enum class ConflictPolicy : std::uint8_t {
    /// The new file becomes `name (2).ext`.
    KeepBoth,
    /// Like Update for a file that this sender sent and that is unchanged since; otherwise
    /// KeepBoth.
    UpdateUnchanged,
    /// The new file replaces the old one atomically, once complete.
    Replace,
    /// Like Replace, but takes unchanged blocks from the old file.
    Update,
    /// Like Replace if the new file was modified later; otherwise Skip.
    ReplaceOlder,
    /// The new file is left out.
    Skip,
};

/// Policies of single entries, by their paths in the offer.
using ConflictChoices = std::map<std::string, ConflictPolicy, std::less<>>;

/// Names that the receiver chose for items, by their names in the offer.
using Renames = std::map<std::string, std::string, std::less<>>;

/// Maximum number of renames; more than a person enters.
inline constexpr std::uint32_t kMaxRenames = 1000;

struct ReceiveOptions {
    ConflictPolicy conflict = ConflictPolicy::KeepBoth;
    /// Policies that override `conflict` for single entries; null for none. Shared because options
    /// are copied for each entry.
    std::shared_ptr<const ConflictChoices> choices{};
    /// See check_renames; null for none.
    std::shared_ptr<const Renames> renames{};
    /// A file of equal size is identical if its content is (reads both); otherwise if its time is.
    bool compare_content = false;
    /// Resume an earlier attempt, and keep partial files for a later one.
    bool resume = true;
    /// Read every file back from the disk before publishing it.
    bool verify = false;
    bool keep_times = true;
    bool keep_executable = true;
    /// Extended attributes and creation times, if the receiver has asked for them.
    bool keep_attributes = false;
    bool make_links = true;
    bool make_empty_folders = true;
    /// Use only names that every system allows.
    bool portable_names = false;
    /// Mark each file as received from another person, if the system supports it.
    bool mark = true;
    /// Stay connected after the end, and receive again whenever the share has changed.
    bool follow = false;
    /// Move what the sender no longer has to kRemovedFolder, if this receive made it and it is
    /// unchanged. Implies resume and keep_times, by which that is known.
    bool deletions = false;
    /// Wait for room from the beginning: the receive was accepted before.
    bool wait_for_room = false;
};

/// The folder below the target that deletions go to; it has a folder for each day.
inline constexpr std::string_view kRemovedFolder = ".thru-removed";

/// Identifies a sender's key; zero if the sender showed none.
using OriginId = std::array<std::uint8_t, 16>;

/// Authenticates records of files that one origin has sent; see SenderRecords.
using RecordKey = std::array<std::uint8_t, 32>;

/// The owner of a journal. Every receiver of a share can claim its id; only the origin is proven.
struct TransferIds {
    WireId share{};
    WireId receive{};
    OriginId origin{};
    /// nullopt: no records are kept.
    std::optional<RecordKey> record_key{};
    /// The sender's self-chosen name.
    std::string sender;
    /// The sender lists the chunks of its files.
    bool lists_chunks = false;
};

} // namespace thru

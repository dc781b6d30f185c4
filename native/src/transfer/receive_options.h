// The receiver's choices for one transfer, and whose transfer it is.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "wire/control.h"

namespace thru {

/// What happens to a file whose name is taken by one that is not identical. Folders are merged.
enum class ConflictPolicy : std::uint8_t {
    /// The new one becomes `name (2).ext`.
    KeepBoth,
    /// The new one takes its place, in one step, when it is complete.
    Replace,
    /// As Replace when the new one was modified later, else it is left out.
    ReplaceOlder,
    /// The new one is left out.
    Skip,
};

/// Policies of single entries, by their paths in the offer.
using ConflictChoices = std::map<std::string, ConflictPolicy, std::less<>>;

struct ReceiveOptions {
    ConflictPolicy conflict = ConflictPolicy::KeepBoth;
    /// For entries that were decided about one by one, instead of `conflict`; null for none.
    /// Options are copied for each entry, so copies share it.
    std::shared_ptr<const ConflictChoices> choices{};
    /// A file of the same size is identical when its content is, which reads both whole; else when
    /// its time is the same, too.
    bool compare_content = false;
    /// Resume an earlier attempt, and leave what a later one can resume.
    bool resume = true;
    /// Read everything back from the disk before it gets its name.
    bool verify = false;
    bool keep_times = true;
    bool keep_executable = true;
    bool make_links = true;
    bool make_empty_folders = true;
    /// Names that every system can hold, even where this one could hold more.
    bool portable_names = false;
    /// Note on each file that it came from somebody else, where the system has a place for that.
    bool mark = true;
};

/// Stands for the key by which a sender is known again; zero when it showed none.
using OriginId = std::array<std::uint8_t, 16>;

/// The owner of a journal. Anybody who received from a share can claim its id: only the origin is
/// proven.
struct TransferIds {
    WireId share{};
    WireId receive{};
    OriginId origin{};
    /// What the sender calls itself.
    std::string sender;
};

} // namespace thru

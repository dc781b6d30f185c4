#include "target/preflight.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "fs/file_system.h"
#include "journal/journal_search.h"
#include "target/existing/sender_record.h"

namespace thru {

namespace {

/// Tests indexes in ascending order.
class RisingLookup {
public:
    explicit RisingLookup(const IndexRanges &ranges) : next_(ranges.begin()), end_(ranges.end()) {}
    bool has(std::uint64_t index) {
        while (next_ != end_ && index >= next_->first && index - next_->first >= next_->count) {
            ++next_;
        }
        return next_ != end_ && index >= next_->first;
    }

private:
    IndexRanges::const_iterator next_;
    IndexRanges::const_iterator end_;
};

/// Existing folders below the target. Keeps the last one: entries are in folder order.
class ExistingFolders {
public:
    enum class State : std::uint8_t {
        Open,
        /// Will be created.
        Missing,
        /// Another file has its name, or it can't be entered: nothing will be written there.
        Blocked,
    };

    explicit ExistingFolders(const fs::FileHandle &root) : root_(root) {}

    /// Enters a folder. TargetGone.
    Result<State> go(std::string_view relative) {
        if (relative == relative_) {
            return state_;
        }
        const bool below = relative.size() > relative_.size() && relative.starts_with(relative_) &&
                           relative[relative_.size()] == '/';
        if (!below || state_ == State::Open || relative_.empty()) {
            if (auto opened = open(relative); !opened) {
                return std::unexpected(std::move(opened).error());
            }
        }
        relative_ = relative;
        return state_;
    }
    /// The folder that go() entered; must be Open.
    const fs::FileHandle &handle() const { return relative_.empty() ? root_ : folder_; }

private:
    Result<> open(std::string_view relative) {
        if (relative.empty()) {
            state_ = State::Open;
            return {};
        }
        auto opened = fs::open_folder_beneath(root_, relative);
        if (opened) {
            folder_ = std::move(*opened);
            state_ = State::Open;
            return {};
        }
        if (opened.error().kind == fs::ErrorKind::Gone) {
            return std::unexpected(fs::writing_error(opened.error(), "look into the folder"));
        }
        state_ = opened.error().kind == fs::ErrorKind::NotFound ? State::Missing : State::Blocked;
        return {};
    }

    const fs::FileHandle &root_;
    std::string relative_;
    State state_ = State::Open;
    fs::FileHandle folder_;
};

class PreflightCheck {
public:
    PreflightCheck(const ManifestTable &manifest, const ReceiveOptions &options,
                   const std::optional<RecordKey> &record_key)
        : manifest_(manifest), options_(options), names_(options), records_(record_key) {}

    /// Performs the checks that need no entries.
    Result<> begin(const std::string &directory, std::size_t end);
    Result<> inspect(std::size_t end, const IndexRanges &unwanted);
    PreflightResult take() { return std::move(result_); }

private:
    bool is_written(std::uint64_t index) const;
    bool is_linked(std::uint64_t index) const;
    Result<std::optional<fs::FileStatus>> existing_at(const fs::FileHandle &folder,
                                                      const std::string &name) const;
    Decision decision(std::uint64_t index, const fs::FileHandle &folder, const std::string &name,
                      const std::optional<fs::FileStatus> &existing) const;
    Decision compare(std::uint64_t index, const fs::FileHandle &folder, const std::string &name,
                     const fs::FileStatus &existing) const;
    void count(std::uint64_t index, Decision decision,
               const std::optional<fs::FileStatus> &existing);

    const ManifestTable &manifest_;
    const ReceiveOptions &options_;
    NameMap names_;
    const SenderRecords records_;
    IndexRanges unwanted_;
    /// The target; not open if it doesn't exist.
    fs::FileHandle root_;
    std::uint64_t max_file_bytes_ = 0;
    PreflightResult result_;
};

/// The folder, or its nearest existing ancestor.
struct Nearest {
    fs::FileHandle folder;
    bool is_it = false;
};

Result<Nearest> open_nearest(const std::string &directory) {
    std::filesystem::path path(std::u8string(directory.begin(), directory.end()));
    for (bool is_it = true;; is_it = false) {
        const std::u8string text = path.generic_u8string();
        auto folder = fs::open_folder(text.empty() ? "." : std::string(text.begin(), text.end()));
        if (folder) {
            return Nearest{.folder = std::move(*folder), .is_it = is_it};
        }
        const bool missing = folder.error().kind == fs::ErrorKind::NotFound;
        if (!missing || text.empty() || path == path.parent_path()) {
            Error error = fs::writing_error(folder.error(), "open the folder");
            if (folder.error().kind == fs::ErrorKind::NotFolder) {
                error = {ErrorCode::TargetNotWritable, folder.error().number, "not a folder"};
            }
            return std::unexpected(std::move(error));
        }
        path = path.parent_path();
    }
}

Result<> PreflightCheck::begin(const std::string &directory, std::size_t end) {
    if (auto mapped = names_.extend(manifest_, 0, end); !mapped) {
        return mapped;
    }
    auto nearest = open_nearest(directory);
    if (!nearest) {
        return std::unexpected(std::move(nearest).error());
    }
    const auto volume = fs::volume_facts(nearest->folder);
    if (!volume) {
        return std::unexpected(fs::writing_error(volume.error(), "ask for free space"));
    }
    result_.exists = nearest->is_it;
    result_.free_bytes = volume->free_bytes;
    result_.mapped_names = names_.mapped();
    result_.listed_names = names_.listed();
    max_file_bytes_ = volume->max_file_bytes;
    if (nearest->is_it) {
        root_ = std::move(nearest->folder);
        if (options_.resume) {
            result_.resumed_bytes = resumable_bytes(root_, manifest_, end, &names_);
        }
    }
    return {};
}

Result<> PreflightCheck::inspect(std::size_t end, const IndexRanges &unwanted) {
    unwanted_ = unwanted;
    RisingLookup left_out(unwanted_);
    ExistingFolders folders(root_);
    for (std::size_t index = 0; index < end; ++index) {
        if (left_out.has(index)) {
            continue;
        }
        if (manifest_.kind(index) == EntryKind::File) {
            ++result_.wanted_files;
            result_.wanted_bytes += manifest_.file_size(index);
        }
        if (!is_written(index)) {
            continue;
        }
        if (!root_.is_open()) {
            count(index, Decision::Write, std::nullopt);
            continue;
        }
        const SafeRelPath place = names_.place(manifest_, index);
        const auto folder = folders.go(place.folder());
        if (!folder) {
            return std::unexpected(folder.error());
        }
        if (*folder == ExistingFolders::State::Blocked) {
            continue;
        }
        std::optional<fs::FileStatus> existing;
        const std::string name(place.name());
        if (*folder == ExistingFolders::State::Open) {
            auto found = existing_at(folders.handle(), name);
            if (!found) {
                return std::unexpected(std::move(found).error());
            }
            existing = *found;
        }
        count(index, decision(index, folders.handle(), name, existing), existing);
    }
    return {};
}

/// False for folders, which are merged, and for texts, which are only displayed.
bool PreflightCheck::is_written(std::uint64_t index) const {
    switch (manifest_.kind(index)) {
    case EntryKind::File:
        return !manifest_.text(index);
    case EntryKind::Link:
        return options_.make_links;
    case EntryKind::Folder:
    case EntryKind::Gone:
        break;
    }
    return false;
}

bool PreflightCheck::is_linked(std::uint64_t index) const {
    const auto first = manifest_.first_name(index);
    return first && !contains(unwanted_, *first);
}

/// A place that can't be inspected counts as free: writing will reveal it.
Result<std::optional<fs::FileStatus>> PreflightCheck::existing_at(const fs::FileHandle &folder,
                                                                  const std::string &name) const {
    const auto status = fs::status_beneath(folder, name);
    if (status) {
        return *status;
    }
    if (status.error().kind == fs::ErrorKind::Gone) {
        return std::unexpected(fs::writing_error(status.error(), "look at what is there"));
    }
    return std::nullopt;
}

Decision PreflightCheck::decision(std::uint64_t index, const fs::FileHandle &folder,
                                  const std::string &name,
                                  const std::optional<fs::FileStatus> &existing) const {
    Decision decided = decide(existing, manifest_, index, options_);
    if (decided == Decision::CompareContent) {
        decided = compare(index, folder, name, *existing);
    }
    const bool covered = depends_on_record(manifest_, index, options_, decided) &&
                         records_.cover(folder, name, *existing, manifest_.path(index));
    return covered ? Decision::WriteOver : decided;
}

Decision PreflightCheck::compare(std::uint64_t index, const fs::FileHandle &folder,
                                 const std::string &name, const fs::FileStatus &existing) const {
    // The sender's content is not known yet: the time decides, unless it is the receiver's own.
    const bool same =
        manifest_.kind(index) == EntryKind::Link
            ? fs::read_link(folder, name).value_or("") == names_.target(manifest_, index)
            : !options_.keep_times ||
                  is_same_version(existing, manifest_.file_size(index), manifest_.mtime_ns(index));
    return same ? Decision::Present : decide_different(existing, manifest_, index, options_);
}

void PreflightCheck::count(std::uint64_t index, Decision decision,
                           const std::optional<fs::FileStatus> &existing) {
    const std::uint64_t bytes = manifest_.file_size(index);
    const bool same_link =
        decision == Decision::Present && manifest_.kind(index) == EntryKind::Link;
    if (!same_link) {
        count_decision(decision, bytes, result_.conflicts);
    }
    if (decision == Decision::Present || decision == Decision::Blocked) {
        return;
    }
    const bool is_own = decision == Decision::WriteOver &&
                        policy_for(manifest_, index, options_) == ConflictPolicy::UpdateUnchanged;
    if (is_own || (existing && is_updated(manifest_, index, options_, decision, *existing))) {
        ++result_.updated_files;
        result_.updated_bytes += bytes;
    }
    if (existing && result_.listed_conflicts.size() < kMaxListedNames) {
        result_.listed_conflicts.push_back(
            {.index = index,
             .existing_bytes = existing->size,
             .existing_mtime_ns = existing->mtime_ns,
             .offered_is_newer = is_newer(manifest_.mtime_ns(index), existing->mtime_ns),
             .replaced = decision == Decision::WriteOver});
    }
    if (decision == Decision::LeaveOut) {
        return;
    }
    if (bytes > max_file_bytes_) {
        if (result_.too_large.size() < kMaxListedNames) {
            result_.too_large.push_back(index);
        }
    } else if (!manifest_.sparse(index) && !is_linked(index)) {
        result_.needed_bytes += bytes;
    }
}

} // namespace

Result<PreflightResult> preflight_target(const std::string &directory,
                                         const ManifestTable &manifest, std::size_t end,
                                         const ReceiveOptions &options, const IndexRanges &unwanted,
                                         const std::optional<RecordKey> &record_key) {
    if (auto checked = NameMap::check(options); !checked) {
        return std::unexpected(std::move(checked).error());
    }
    PreflightCheck check(manifest, options, record_key);
    if (auto begun = check.begin(directory, end); !begun) {
        return std::unexpected(std::move(begun).error());
    }
    if (auto inspected = check.inspect(end, unwanted); !inspected) {
        return std::unexpected(std::move(inspected).error());
    }
    PreflightResult result = check.take();
    result.needed_bytes -= std::min(result.needed_bytes, result.resumed_bytes);
    return result;
}

} // namespace thru

#include "crash/sim_disk.h"

#include <atomic>
#include <cerrno>
#include <limits>
#include <utility>

#include "crash/sim_access.h"

namespace thru::test {

namespace {

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kBlockBytes = SimContent::kBlockBytes;
constexpr std::uint64_t kCapacityBlocks = (std::uint64_t{1} << 40) / kBlockBytes;
constexpr fs::FileId kVolume{.device = 1, .number = 1};

std::mutex installed_mutex;
SimDisk *installed = nullptr;

std::atomic<bool> full_is_quota = false;

std::int64_t number_of(fs::ErrorKind kind) {
    switch (kind) {
    case fs::ErrorKind::NotFound:
        return ENOENT;
    case fs::ErrorKind::Exists:
        return EEXIST;
    case fs::ErrorKind::Link:
        return ELOOP;
    case fs::ErrorKind::NotFolder:
        return ENOTDIR;
    case fs::ErrorKind::BadName:
        return ENAMETOOLONG;
    case fs::ErrorKind::Full:
        return full_is_quota ? kQuotaNumber : ENOSPC;
    case fs::ErrorKind::TooLarge:
        return EFBIG;
    case fs::ErrorKind::Gone:
        return ENODEV;
    case fs::ErrorKind::Io:
        return EIO;
    case fs::ErrorKind::Refused:
        return EACCES;
    }
    return EACCES;
}

} // namespace

fs::SystemError sim_error(fs::ErrorKind kind) { return {.kind = kind, .number = number_of(kind)}; }

SimDisk::SimDisk()
    : crash_at_(kNever), free_blocks_(kCapacityBlocks), clock_ns_(1'700'000'000'000'000'000) {
    const std::scoped_lock lock(installed_mutex);
    installed = this;
    full_is_quota = false;
}

SimDisk::~SimDisk() {
    const std::scoped_lock lock(installed_mutex);
    installed = nullptr;
}

std::uint64_t SimDisk::operations() const {
    const std::scoped_lock lock(mutex_);
    return trace_.size();
}

std::vector<std::string> SimDisk::trace() const {
    const std::scoped_lock lock(mutex_);
    return trace_;
}

void SimDisk::crash_after(std::uint64_t operations) {
    const std::scoped_lock lock(mutex_);
    crash_at_ = operations;
}

bool SimDisk::crashed() const {
    const std::scoped_lock lock(mutex_);
    return crashed_;
}

void SimDisk::restart() {
    open_.clear();
    locks_.clear();
    trace_.clear();
    faults_.clear();
    crash_at_ = kNever;
    crashed_ = false;
    image_.collect();
    const std::uint64_t taken = image_.blocks();
    free_blocks_ = kCapacityBlocks - taken;
}

void SimDisk::kill() {
    const std::scoped_lock lock(mutex_);
    restart();
}

void SimDisk::lose_power(std::uint64_t seed) {
    const std::scoped_lock lock(mutex_);
    image_.lose_power(seed);
    boot_id_ = "boot-" + std::to_string(++boots_);
    restart();
}

SimImage SimDisk::image() const {
    const std::scoped_lock lock(mutex_);
    return image_;
}

void SimDisk::set_image(SimImage image) {
    const std::scoped_lock lock(mutex_);
    image_ = std::move(image);
    restart();
}

void SimDisk::fail(SimCall call, fs::ErrorKind kind, std::uint64_t spared, std::uint64_t times) {
    const std::scoped_lock lock(mutex_);
    faults_.push_back({.call = call, .kind = kind, .spared = spared, .times = times});
}

std::uint64_t SimDisk::unused_faults() const {
    const std::scoped_lock lock(mutex_);
    std::uint64_t unused = 0;
    for (const Fault &fault : faults_) {
        unused += fault.times;
    }
    return unused;
}

void SimDisk::set_full_is_quota() { full_is_quota = true; }

void SimDisk::set_boot_id(std::string id) {
    const std::scoped_lock lock(mutex_);
    boot_id_ = std::move(id);
}

void SimDisk::number_anew() {
    const std::scoped_lock lock(mutex_);
    std::set<NodeId> open;
    for (const auto &[handle, opened] : open_) {
        open.insert(opened.node);
    }
    image_.number_anew(open);
}

void SimDisk::set_syncs_file_system(bool there_is) {
    const std::scoped_lock lock(mutex_);
    syncs_file_system_ = there_is;
}

void SimDisk::set_counts_insertions(bool it_does) {
    const std::scoped_lock lock(mutex_);
    counts_insertions_ = it_does;
}

void SimDisk::set_shares_blocks(bool it_does) {
    const std::scoped_lock lock(mutex_);
    shares_blocks_ = it_does;
}

void SimDisk::set_folder_syncs_attributes(bool it_does) {
    const std::scoped_lock lock(mutex_);
    folder_syncs_attributes_ = it_does;
}

SimAccess::SimAccess() {
    const std::scoped_lock lock(installed_mutex);
    disk_ = installed;
    if (disk_ != nullptr) {
        lock_ = std::unique_lock(disk_->mutex_);
    }
}

std::optional<fs::ErrorKind> SimAccess::begin(SimCall call, const std::string &trace) const {
    if (crashed()) {
        return fs::ErrorKind::Io;
    }
    if (call < SimCall::LookUp) {
        if (operations() >= disk_->crash_at_) {
            disk_->crashed_ = true;
            return fs::ErrorKind::Io;
        }
        disk_->trace_.push_back(std::to_string(operations()) + " " + trace);
    }
    for (SimDisk::Fault &fault : disk_->faults_) {
        if (fault.call != call || fault.times == 0) {
            continue;
        }
        if (fault.spared > 0) {
            --fault.spared;
            continue;
        }
        --fault.times;
        return fault.kind;
    }
    return std::nullopt;
}

SimResult<SimNode *> SimAccess::begin(SimCall call, const fs::FileHandle &handle, Needs needs,
                                      std::string_view what, const std::string &name) const {
    if (crashed()) {
        return std::unexpected(fs::ErrorKind::Io);
    }
    const auto found = disk_->open_.find(handle.native());
    if (found == disk_->open_.end()) {
        return std::unexpected(fs::ErrorKind::Io);
    }
    SimNode *node = image().find(found->second.node);
    const bool file = node->type == fs::FileType::File;
    if (needs == Needs::Folder && node->type != fs::FileType::Folder) {
        return std::unexpected(fs::ErrorKind::NotFolder);
    }
    if ((needs == Needs::File && !file) ||
        (needs == Needs::WritableFile && !found->second.writable)) {
        return std::unexpected(fs::ErrorKind::Refused);
    }
    std::string trace;
    if (call < SimCall::LookUp) {
        trace = std::string(what) + " " + image().path_of(node->id);
        trace += name.empty() ? "" : "/" + name;
    }
    const auto kind = begin(call, trace);
    if (!kind) {
        return node;
    }
    if (call == SimCall::SyncData && !crashed()) {
        node->content.fail_sync();
    }
    if (call == SimCall::SyncFileSystem && !crashed()) {
        image().fail_sync();
    }
    return std::unexpected(*kind);
}

fs::FileHandle SimAccess::open(const SimNode &node, bool writable) const {
    // Handles are never reused: one from before the restart is invalid.
    static fs::FileHandle::Native last = 0;
    disk_->open_[++last] = {.node = node.id, .writable = writable};
    return fs::FileHandle(last);
}

void SimAccess::close(fs::FileHandle::Native handle) const {
    const auto found = disk_->open_.find(handle);
    if (found == disk_->open_.end()) {
        return;
    }
    const SimNode &node = *image().find(found->second.node);
    std::erase_if(disk_->locks_, [&](const auto &lock) { return lock.second == handle; });
    disk_->open_.erase(found);
    forget(node);
}

bool SimAccess::lock(const SimNode &node, const fs::FileHandle &handle) const {
    const auto [holder, fresh] = disk_->locks_.try_emplace(node.id, handle.native());
    return fresh || holder->second == handle.native();
}

SimResult<> SimAccess::take_blocks(std::uint64_t blocks) const {
    if (blocks > disk_->free_blocks_) {
        return std::unexpected(fs::ErrorKind::Full);
    }
    disk_->free_blocks_ -= blocks;
    return {};
}

void SimAccess::forget(const SimNode &node) const {
    bool open = false;
    for (const auto &[handle, opened] : disk_->open_) {
        open = open || opened.node == node.id;
    }
    if (!node.named && !open) {
        give_blocks(node.blocks());
    }
}

void SimAccess::touch(SimNode &node) const {
    node.ctime_ns = now();
    node.set_attributes({.mtime_ns = node.ctime_ns, .mode = node.attributes.mode});
}

fs::FileStatus SimAccess::status(const SimNode &node) const {
    const bool link = node.type == fs::FileType::Link;
    return {.type = node.type,
            .size = link ? node.target.size() : node.content.size(),
            .mtime_ns = node.attributes.mtime_ns,
            .ctime_ns = node.ctime_ns,
            .mode = node.attributes.mode,
            .allocated = node.blocks() * kBlockBytes,
            .id = {.device = kVolume.device, .number = node.number}};
}

fs::VolumeFacts SimAccess::facts() const {
    return {.free_bytes = disk_->free_blocks_ * kBlockBytes,
            .max_file_bytes = std::numeric_limits<std::int64_t>::max(),
            .id = kVolume,
            .counts_insertions = disk_->counts_insertions_};
}

} // namespace thru::test

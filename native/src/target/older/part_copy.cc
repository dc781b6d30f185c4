#include "target/older/part_copy.h"

#include <algorithm>

#include "fs/file_hash.h"
#include "fs/writeback.h"

namespace thru {

namespace {

/// The system writes these bytes while later ones are copied; the wait for a sync stays short.
constexpr std::uint64_t kSyncBytes = 512ULL << 20;

} // namespace

std::optional<PartCopy::Files> PartCopy::open(ReceiveFolder::State &state, FolderCursor &cursor,
                                              std::uint64_t index, const std::string &path) {
    const std::uint64_t size = state.manifest->file_size(index);
    const auto folder = cursor.go(state.names.place(*state.manifest, index).folder());
    auto basis = folder ? fs::open_beneath_for_reading(state.target.root(), path)
                        : std::unexpected(folder.error());
    const auto status = basis ? fs::status_of(*basis) : std::unexpected(basis.error());
    const auto volume = folder ? fs::volume_facts(**folder) : std::unexpected(folder.error());
    if (!status || !volume || (volume->free_bytes < size && !state.manifest->sparse(index))) {
        return std::nullopt;
    }
    auto part = state.store.create(cursor, index);
    if (!part) {
        return std::nullopt;
    }
    const bool is_clone = fs::share_content(*basis, part->second);
    return Files{.basis = std::move(*basis),
                 .basis_bytes = status->size,
                 .part = part->first,
                 .file = std::move(part->second),
                 .is_clone = is_clone};
}

PartCopy::PartCopy(const ReceiveFolder::State &state, std::uint64_t index, Files files)
    : store_(state.store), verify_(state.options.verify), index_(index),
      basis_(std::move(files.basis)), part_(files.part), is_clone_(files.is_clone),
      file_(std::move(files.file)), direct_(fs::DirectWriter::of(file_)) {}

PartCopy::~PartCopy() {
    if (file_.is_open()) {
        static_cast<void>(end_write());
        store_.discard(index_, part_);
    }
}

std::optional<ByteView> PartCopy::read_range(std::uint64_t from, std::uint64_t to,
                                             std::uint64_t bytes) {
    buffer_ = write_.valid() ? 1 - writing_ : buffer_;
    Bytes &buffer = buffers_[buffer_];
    buffer.resize(kRangeBytes);
    const auto range = MutableByteView(buffer).first(static_cast<std::size_t>(bytes));
    const auto got = fs::read_at(is_clone_ && from == to ? file_ : basis_, from, range);
    return got && *got == range.size() ? std::optional<ByteView>(range) : std::nullopt;
}

bool PartCopy::write_range(std::uint64_t from, std::uint64_t to, ByteView bytes) {
    unsynced_bytes_ += bytes.size();
    if (is_clone_ && from == to) {
        return true;
    }
    if (!end_write()) {
        return false;
    }
    if (!direct_ || !direct_->open() || bytes.size() < fs::DirectWriter::kMinBytes) {
        return fs::write_at(file_, to, bytes).has_value();
    }
    writing_ = buffer_;
    // Without another thread it is written when its result is needed.
    write_ = std::async(std::launch::async | std::launch::deferred,
                        [this, to, bytes] { return direct_->write(file_, to, bytes).has_value(); });
    return true;
}

bool PartCopy::write_cached(std::uint64_t offset, ByteView bytes) {
    unsynced_bytes_ += bytes.size();
    return end_write() && fs::write_at(file_, offset, bytes);
}

bool PartCopy::end_write() { return !write_.valid() || write_.get(); }

bool PartCopy::keep(std::uint64_t begin, std::uint64_t end) {
    if (end > begin) {
        fs::begin_writeback(file_, begin, end - begin);
    }
    return unsynced_bytes_ < kSyncBytes || sync();
}

bool PartCopy::finish(std::uint64_t size) {
    // The last bytes may be a hole.
    if (!end_write() || !fs::set_size(file_, size) || !sync()) {
        return false;
    }
    std::ranges::sort(extents_, {}, &Extent::offset);
    return true;
}

bool PartCopy::sync() {
    if (!end_write() || !fs::sync_data(file_) || (verify_ && !read_back())) {
        return false;
    }
    unsynced_bytes_ = 0;
    first_unread_ = extents_.size();
    return true;
}

/// True if the extents since the last sync are right on the disk.
bool PartCopy::read_back() const {
    fs::drop_cache(file_);
    return std::all_of(extents_.begin() + static_cast<std::ptrdiff_t>(first_unread_),
                       extents_.end(), [this](const Extent &extent) {
                           Blake3 hasher;
                           return hash_range(file_, extent.offset, extent.end(), {&hasher}) &&
                                  shortened(hasher.finish()) == extent.hash;
                       });
}

PartCopy::Copied PartCopy::take(const Have &have, std::vector<Extents::Run> runs) {
    return {.file = std::move(file_),
            .partial = {.part = part_,
                        .have = have,
                        .extents = std::move(runs),
                        .unsynced = std::move(extents_),
                        .of_basis = true,
                        .allocated = have.offset}};
}

} // namespace thru

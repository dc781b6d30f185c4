#include "engine/segment_cache.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace thru {

namespace {

/// Memory of a segment besides its chunks and plan, in bytes: reader, hash state, queues.
constexpr std::uint64_t kBesideChunks = 4096;

bool stands_before(const Piece &one, const Piece &other) {
    return std::tie(one.index, one.offset, one.length) <
           std::tie(other.index, other.offset, other.length);
}

} // namespace

struct SegmentCache::Segment : std::enable_shared_from_this<Segment> {
    Segment(SegmentCache &owner, std::shared_ptr<const SourceFiles> of, SegmentPlan plan,
            std::uint64_t on_disk, Timestamp now)
        : cache(owner), files(std::move(of)),
          reader(std::make_shared<SegmentReader>(files, std::move(plan))), disk(on_disk),
          begun(now), bytes(reader->stream_bytes()), strand(owner.disk_.make_strand()),
          kept((bytes + kChunkBytes - 1) / kChunkBytes) {}
    ~Segment() { cache.withdraw(*this); }
    Segment(const Segment &) = delete;
    Segment &operator=(const Segment &) = delete;

    /// Each chunk's part of the segment's other memory, in bytes: considerable for small chunks.
    std::uint64_t beside_chunk() const {
        return (kBesideChunks + reader->plan().size() * 2 * sizeof(Piece)) / kept.size();
    }
    std::size_t chunk_bytes(std::size_t number) const {
        const auto offset = std::min<std::uint64_t>(number * kChunkBytes, bytes);
        return static_cast<std::size_t>(std::min<std::uint64_t>(bytes - offset, kChunkBytes));
    }

    struct Waiter {
        Lifetime::Watch owner;
        std::function<void()> ready;
    };

    SegmentCache &cache;
    const std::shared_ptr<const SourceFiles> files;
    /// Hashes the segment once while reading, in one job at a time; all read its plan.
    const std::shared_ptr<SegmentReader> reader;
    const std::uint64_t disk;
    const Timestamp begun;
    const std::uint64_t bytes;
    const std::shared_ptr<DiskPool::Strand> strand;
    /// Never offered: only one receiver takes its chunks.
    bool alone = false;
    /// Number of chunks read.
    std::size_t read = 0;
    bool reading = false;
    /// Receivers that need the next chunk.
    std::vector<Waiter> waiters;
    /// Indexed by number; nullopt for chunks that are not kept.
    std::vector<std::optional<std::list<Kept>::iterator>> kept;
    Hash hash{};
    /// The failure to read the next chunk.
    std::optional<SegmentReader::Failure> failure;
    Lifetime lifetime;
};

bool SegmentCache::ByPlan::operator()(const Segment *one, const Segment *other) const {
    const auto by_address = std::less<>{};
    if (one->files != other->files) {
        return by_address(one->files.get(), other->files.get());
    }
    return std::ranges::lexicographical_compare(one->reader->plan(), other->reader->plan(),
                                                stands_before);
}

SegmentCache::SegmentCache(DiskPool &disk, Scheduler &scheduler,
                           std::shared_ptr<BufferPool> buffers, Clock clock)
    : disk_(disk), buffers_(std::move(buffers)), clock_(std::move(clock)),
      task_(scheduler, [this](Timestamp) { return forget_old(); }) {}

SegmentCache::~SegmentCache() = default;

SegmentCache::Taker::Taker(SegmentCache &cache, std::shared_ptr<const SourceFiles> files)
    : cache_(cache), files_(std::move(files)) {}

void SegmentCache::Taker::set(bool takes) {
    if (takes == std::exchange(takes_, takes)) {
        return;
    }
    if (takes) {
        ++cache_.takers_[files_.get()];
        return;
    }
    const auto found = cache_.takers_.find(files_.get());
    if (--found->second <= 1) {
        cache_.forget_share(files_.get());
    }
    if (found->second == 0) {
        cache_.takers_.erase(found);
    }
}

std::size_t SegmentCache::takers(const SourceFiles *files) const {
    const auto found = takers_.find(files);
    return found == takers_.end() ? 0 : found->second;
}

SegmentCache::Reader SegmentCache::open(const std::shared_ptr<const SourceFiles> &files,
                                        SegmentPlan plan, std::uint64_t disk) {
    auto segment = std::make_shared<Segment>(*this, files, std::move(plan), disk, clock_());
    const auto offered = offered_.find(segment.get());
    if (offered != offered_.end()) {
        if ((*offered)->begun + kSharedFor > segment->begun) {
            return Reader((*offered)->shared_from_this());
        }
        offered_.erase(offered);
    }
    offered_.insert(segment.get());
    return Reader(std::move(segment));
}

SegmentCache::Reader SegmentCache::open_alone(const std::shared_ptr<const SourceFiles> &files,
                                              SegmentPlan plan, std::uint64_t disk) {
    auto segment = std::make_shared<Segment>(*this, files, std::move(plan), disk, clock_());
    segment->alone = true;
    return Reader(std::move(segment));
}

void SegmentCache::on_wake() {
    offered_.clear();
    while (!kept_.empty()) {
        forget(kept_.begin());
    }
}

/// Stops offering the segment.
void SegmentCache::withdraw(Segment &segment) {
    const auto found = offered_.find(&segment);
    if (found != offered_.end() && *found == &segment) {
        offered_.erase(found);
    }
}

void SegmentCache::read_on(Segment &segment) {
    if (std::exchange(segment.reading, true)) {
        return;
    }
    struct Got {
        Outcome outcome;
        Hash hash{};
    };
    disk_.fetch(
        segment.strand, segment.lifetime, {.lane = DiskLane::Data, .disk = segment.disk},
        [reader = segment.reader, bytes = segment.chunk_bytes(segment.read), buffers = buffers_] {
            Chunk chunk = buffers->take(bytes);
            auto filled = reader->read(*chunk.bytes);
            if (!filled) {
                return Got{.outcome = std::unexpected(std::move(filled).error())};
            }
            chunk.size = *filled;
            return Got{.outcome = std::move(chunk), .hash = reader->hash()};
        },
        [this, &segment](Got got) { on_read(segment, std::move(got.outcome), got.hash); });
}

void SegmentCache::on_read(Segment &segment, Outcome outcome, const Hash &hash) {
    // A waiter may have held the last reference.
    const auto holds = segment.shared_from_this();
    segment.reading = false;
    if (outcome && outcome->size == 0) {
        read_on(segment); // The reader first checks a changed file, one step at a time.
        return;
    }
    segment.hash = hash;
    if (outcome) {
        keep(segment, std::move(*outcome));
    } else {
        segment.failure = std::move(outcome).error();
        // The next reader tries again: the disk may have failed.
        withdraw(segment);
    }
    for (const auto &waiter : std::exchange(segment.waiters, {})) {
        if (!waiter.owner.over()) {
            waiter.ready();
            waiter.owner.on_result();
        }
    }
    // No other receiver will take it: its only one has taken it or has ended.
    const bool for_one = segment.alone || takers(segment.files.get()) <= 1;
    if (outcome && for_one && segment.kept[segment.read - 1]) {
        forget(*segment.kept[segment.read - 1]);
    }
    while (kept_bytes_ > kMaxCached) {
        forget(kept_.begin());
    }
}

void SegmentCache::keep(Segment &segment, Chunk chunk) {
    const auto number = segment.read++;
    const auto bytes = chunk.bytes->size() + segment.beside_chunk();
    kept_bytes_ += bytes;
    if (kept_.empty()) {
        task_.wake();
    }
    kept_.push_back({.segment = segment.shared_from_this(),
                     .number = number,
                     .chunk = std::move(chunk),
                     .bytes = bytes,
                     .read_at = clock_()});
    segment.kept[number] = std::prev(kept_.end());
}

void SegmentCache::forget(std::list<Kept>::iterator kept) {
    kept_bytes_ -= kept->bytes;
    kept->segment->kept[kept->number].reset();
    // Also destroys the segment if this was the last reference.
    const auto holds = std::move(kept->segment);
    kept_.erase(kept);
}

void SegmentCache::forget_share(const SourceFiles *files) {
    for (auto each = kept_.begin(); each != kept_.end();) {
        const auto kept = each++;
        if (kept->segment->files.get() == files) {
            forget(kept);
        }
    }
}

/// Returns the time at which the next chunk expires.
Timestamp SegmentCache::forget_old() {
    for (const auto now = clock_(); !kept_.empty(); forget(kept_.begin())) {
        if (const auto old = kept_.front().read_at + kSharedFor; old > now) {
            return old;
        }
    }
    return kNever;
}

const SegmentPlan &SegmentCache::Reader::plan() const { return segment_->reader->plan(); }

std::size_t SegmentCache::Reader::next_bytes() const { return segment_->chunk_bytes(next_); }

std::optional<SegmentCache::Outcome> SegmentCache::Reader::take() {
    auto &segment = *segment_;
    auto &cache = segment.cache;
    if (own_ && *own_) {
        ++next_;
        return *std::exchange(own_, nullptr);
    }
    cache.forget_old();
    if (next_ < segment.read && segment.kept[next_]) {
        const auto kept = *segment.kept[next_++];
        auto chunk = kept->chunk;
        if (++kept->taken >= cache.takers(segment.files.get())) {
            cache.forget(kept);
        }
        return chunk;
    }
    if (next_ == segment.read && segment.failure) {
        return std::unexpected(*segment.failure);
    }
    return std::nullopt;
}

void SegmentCache::Reader::fetch(const Lifetime &owner, std::function<void()> ready) {
    auto &segment = *segment_;
    if (next_ < segment.read) {
        read_again(owner, std::move(ready));
        return;
    }
    segment.waiters.push_back({.owner = owner.watch(), .ready = std::move(ready)});
    segment.cache.read_on(segment);
}

/// Other receivers are ahead, and the chunk is no longer kept.
void SegmentCache::Reader::read_again(const Lifetime &owner, std::function<void()> ready) {
    auto &segment = *segment_;
    auto &cache = segment.cache;
    own_ = std::make_shared<std::optional<Outcome>>();
    cache.disk_.fetch(
        cache.disk_.make_strand(), owner, {.lane = DiskLane::Data, .disk = segment.disk},
        [files = segment.files, whole = segment.reader, offset = next_ * kChunkBytes,
         bytes = next_bytes(), hash = segment.hash, buffers = cache.buffers_]() -> Outcome {
            SegmentReader reader(files, whole->plan(), offset, hash);
            Chunk chunk = buffers->take(bytes);
            auto filled = reader.read(*chunk.bytes);
            if (!filled) {
                return std::unexpected(std::move(filled).error());
            }
            chunk.size = *filled;
            return chunk;
        },
        [own = own_, ready = std::move(ready)](Outcome outcome) {
            own->emplace(std::move(outcome));
            ready();
        });
}

} // namespace thru

// Segments for the receivers of a share: a segment that several need at about the same time is read
// and hashed once. Network thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>

#include "base/buffer_pool.h"
#include "base/clock.h"
#include "base/lifetime.h"
#include "fs/disk_pool.h"
#include "link/scheduler.h"
#include "source/segment_reader.h"
#include "source/source_files.h"

namespace thru {

/// Chunks kept for slower receivers: half a second at 1 Gbit/s, as much as one may have in flight.
inline constexpr std::uint64_t kMaxCached = 48ULL << 20;
/// Maximum age of a segment when a receiver begins it, and of a kept chunk: about as long as data
/// waits in a sender anyway. Later receivers notice changes of the file.
inline constexpr Timestamp kSharedFor = 5 * kSecond;

class SegmentCache {
    struct Segment;

public:
    SegmentCache(DiskPool &disk, Scheduler &scheduler, std::shared_ptr<BufferPool> buffers,
                 Clock clock);
    ~SegmentCache();
    SegmentCache(const SegmentCache &) = delete;
    SegmentCache &operator=(const SegmentCache &) = delete;

    /// A transfer of a share. Chunks are kept only if several are active.
    class Taker {
    public:
        Taker(SegmentCache &cache, std::shared_ptr<const SourceFiles> files);
        ~Taker() { set(false); }
        Taker(const Taker &) = delete;
        Taker &operator=(const Taker &) = delete;

        /// Sets whether it has data in flight; initially false.
        void set(bool takes);

    private:
        SegmentCache &cache_;
        std::shared_ptr<const SourceFiles> files_;
        bool takes_ = false;
    };

    using Outcome = std::expected<Chunk, SegmentReader::Failure>;

    /// One receiver's position in a segment's stream. Must end before the cache.
    class Reader {
    public:
        const SegmentPlan &plan() const;
        /// Size of the next chunk in bytes; 0 at the end.
        std::size_t next_bytes() const;
        /// The next chunk, or the failure that prevents it; nullopt if that is unknown yet.
        /// Failures are SegmentReader's; nothing follows one.
        std::optional<Outcome> take();
        /// Reads the chunk that take() lacked, then calls `ready` unless `owner` has ended; never
        /// during this call. Only one call at a time.
        void fetch(const Lifetime &owner, std::function<void()> ready);

    private:
        friend class SegmentCache;
        explicit Reader(std::shared_ptr<Segment> segment) : segment_(std::move(segment)) {}
        void read_again(const Lifetime &owner, std::function<void()> ready);

        std::shared_ptr<Segment> segment_;
        std::size_t next_ = 0;
        /// A chunk read for this receiver alone.
        std::shared_ptr<std::optional<Outcome>> own_;
    };

    /// All data of the plan must be in `files`, on this disk.
    Reader open(const std::shared_ptr<const SourceFiles> &files, SegmentPlan plan,
                std::uint64_t disk);
    /// Like open(), but for this receiver alone: the bytes received before didn't match their hash.
    Reader open_alone(const std::shared_ptr<const SourceFiles> &files, SegmentPlan plan,
                      std::uint64_t disk);
    /// The computer slept: everything read so far counts as expired.
    void on_wake();
    /// Bytes of kept chunks and of their segments' other memory.
    std::uint64_t kept_bytes() const { return kept_bytes_; }

private:
    /// A chunk that some receivers have not taken.
    struct Kept {
        std::shared_ptr<Segment> segment;
        std::size_t number = 0;
        Chunk chunk;
        /// Its part of kept_bytes().
        std::uint64_t bytes = 0;
        Timestamp read_at = 0;
        std::size_t taken = 0;
    };
    struct ByPlan {
        bool operator()(const Segment *one, const Segment *other) const;
    };

    std::size_t takers(const SourceFiles *files) const;
    void read_on(Segment &segment);
    void on_read(Segment &segment, Outcome outcome, const Hash &hash);
    void keep(Segment &segment, Chunk chunk);
    void forget(std::list<Kept>::iterator kept);
    void forget_share(const SourceFiles *files);
    Timestamp forget_old();
    void withdraw(Segment &segment);

    DiskPool &disk_;
    std::shared_ptr<BufferPool> buffers_;
    Clock clock_;
    std::unordered_map<const SourceFiles *, std::size_t> takers_;
    /// Segments that receivers may begin; the latest for each plan.
    std::set<Segment *, ByPlan> offered_;
    std::uint64_t kept_bytes_ = 0;
    /// In reading order. Owns segments, which use the members above.
    std::list<Kept> kept_;
    /// Removes expired chunks even without a reader.
    Scheduler::Task task_;
};

} // namespace thru

// Segments as the receivers of a share are sent them: what several want at about the same time is
// read and hashed once. Network thread only.
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

/// Chunks kept for receivers that are behind: half a second at 1 Gbit/s, and no more than one
/// receiver alone may have under way.
inline constexpr std::uint64_t kMaxCached = 48ULL << 20;
/// How old a segment may be when a receiver begins it, and a chunk that is kept: about what data
/// waits in a sender anyway. A file that changes is found by receivers that come later.
inline constexpr Timestamp kSharedFor = 5 * kSecond;

class SegmentCache {
    struct Segment;

public:
    SegmentCache(DiskPool &disk, Scheduler &scheduler, std::shared_ptr<BufferPool> buffers,
                 Clock clock);
    ~SegmentCache();
    SegmentCache(const SegmentCache &) = delete;
    SegmentCache &operator=(const SegmentCache &) = delete;

    /// A transfer that takes what its share has. Nothing is kept for one that is alone.
    class Taker {
    public:
        Taker(SegmentCache &cache, std::shared_ptr<const SourceFiles> files);
        ~Taker() { set(false); }
        Taker(const Taker &) = delete;
        Taker &operator=(const Taker &) = delete;

        /// Whether it has anything under way. False at first.
        void set(bool takes);

    private:
        SegmentCache &cache_;
        std::shared_ptr<const SourceFiles> files_;
        bool takes_ = false;
    };

    using Outcome = std::expected<Chunk, SegmentReader::Failure>;

    /// One receiver's way through the stream of a segment, chunk by chunk. Ends before the cache.
    class Reader {
    public:
        const SegmentPlan &plan() const;
        /// Bytes of the next chunk; 0 behind the last one.
        std::size_t next_bytes() const;
        /// The next chunk, or why there is none, when that is known by now. Failures as those of
        /// SegmentReader; nothing comes behind one.
        std::optional<Outcome> take();
        /// Brings what take() did not have, and calls `ready` unless `owner` is gone by then; never
        /// from within this call. Not again before that.
        void fetch(const Lifetime &owner, std::function<void()> ready);

    private:
        friend class SegmentCache;
        explicit Reader(std::shared_ptr<Segment> segment) : segment_(std::move(segment)) {}
        void read_again(const Lifetime &owner, std::function<void()> ready);

        std::shared_ptr<Segment> segment_;
        /// Number of the next chunk.
        std::size_t next_ = 0;
        /// What was read for this receiver alone.
        std::shared_ptr<std::optional<Outcome>> own_;
    };

    /// The plan has data of `files` only, which are on this disk.
    Reader open(const std::shared_ptr<const SourceFiles> &files, SegmentPlan plan,
                std::uint64_t disk);
    /// As open(), but read and hashed for this receiver alone: it was sent these bytes before, and
    /// got others than their hash stands for.
    Reader open_alone(const std::shared_ptr<const SourceFiles> &files, SegmentPlan plan,
                      std::uint64_t disk);
    /// Nobody begins what was read up to now, as if all of it were old: the computer slept.
    void on_wake();
    /// Bytes of chunks that are kept, with what their segments take beside them.
    std::uint64_t kept_bytes() const { return kept_bytes_; }

private:
    /// A chunk that some have not taken.
    struct Kept {
        std::shared_ptr<Segment> segment;
        std::size_t number = 0;
        Chunk chunk;
        /// What kept_bytes() has of it.
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
    /// Segments that receivers may begin, the latest of each plan.
    std::set<Segment *, ByPlan> offered_;
    std::uint64_t kept_bytes_ = 0;
    /// In the order of reading. It owns segments, which use what stands above.
    std::list<Kept> kept_;
    /// Forgets what is old though nobody asks for anything.
    Scheduler::Task task_;
};

} // namespace thru

// The folder of one receive and the disk jobs around it: what is there already, rounds that make
// files durable and name them, and waiting for room. Network thread only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "engine/context.h"
#include "engine/selection.h"
#include "io/receive_folder.h"

namespace thru {

class ReceiveTarget {
public:
    /// What it found out and did; called on the network thread.
    struct Listener {
        /// Entries below `end` are looked through.
        std::function<void(std::size_t end, Prepared, std::vector<IndexRanges> first)> on_prepared;
        std::function<void(const Settled &)> on_settled;
        /// Links and folders are finished, and everything is on the disk.
        std::function<void(const std::vector<WriteFailure> &)> on_finished;
        /// Left out by the conflict policy, now that it proved to be another file.
        std::function<void(std::uint64_t index)> on_left_out;
        /// There is room again.
        std::function<void()> on_room;
        std::function<void(const Error &)> on_failed;
    };

    ReceiveTarget(EngineContext &context, std::shared_ptr<const ManifestTable> manifest,
                  Listener listener);
    /// What is not complete is left for a later attempt, or deleted, as the options say.
    ~ReceiveTarget();

    /// Opens `directory`, once no attempt that is over has a hand on it any more, and looks through
    /// entries below `end`.
    void open(const std::string &directory, const ReceiveOptions &options, const TransferIds &ids,
              Selection selection, std::size_t end);
    /// More was offered.
    void extend(std::size_t end);
    /// Taken out of the share, perhaps before they were offered here.
    void exclude(const IndexRanges &ranges) { excluded_ = merged(excluded_, ranges); }

    /// nullptr until prepared for the first time.
    const std::shared_ptr<ReceiveFolder> &folder() const { return folder_; }
    /// Runs `job` after all such jobs before; segments that begin meanwhile have to use the same
    /// strand (`busy`), so that what they write is not taken for what was there before.
    void post(std::function<void(ReceiveFolder &)> job);
    void restart(std::uint64_t index);
    bool busy() const { return jobs_ > 0; }
    const std::shared_ptr<DiskPool::Strand> &strand() const { return strand_; }

    /// All bytes of these are written and verified.
    void add_whole(const std::vector<std::uint64_t> &indexes);
    /// Everything has its name: finish links and folders.
    void finish();
    /// Writing found no room: on_room follows when so many bytes are free.
    void wait_for_room(std::uint64_t bytes, Timestamp now);
    /// Bytes that have to become free; 0 when there is room.
    std::uint64_t awaited_room() const { return awaited_room_; }
    /// Bytes are being made durable and named.
    bool settling() const { return settling_ || finishing_; }

    /// Begins rounds; `arriving`: more data is on its way. Once in each turn of the loop.
    void service(bool arriving, Timestamp now);
    Timestamp deadline() const;

private:
    void open_when_free();
    void prepare(std::size_t end);
    void settle(Timestamp now);
    void on_settled(Settled settled);
    void look_for_room();

    EngineContext &context_;
    std::shared_ptr<const ManifestTable> manifest_;
    Listener listener_;
    std::string directory_;
    ReceiveOptions options_;
    TransferIds ids_;
    std::shared_ptr<const Selection> selection_;
    IndexRanges excluded_;
    std::shared_ptr<ReceiveFolder> folder_;
    std::shared_ptr<DiskPool::Strand> strand_;
    std::shared_ptr<DiskPool::Strand> settle_strand_;
    /// What to begin with, while the folder is not free yet.
    std::optional<std::size_t> opening_end_;
    std::size_t prepared_end_ = 0;
    std::size_t jobs_ = 0;
    std::vector<std::uint64_t> whole_;
    bool settling_ = false;
    /// The last round found no room for names.
    bool settle_again_ = false;
    bool finishing_ = false;
    bool finished_ = false;
    Timestamp next_round_ = kNever;
    std::uint64_t awaited_room_ = 0;
    Timestamp next_look_ = kNever;
    std::shared_ptr<bool> alive_;
};

} // namespace thru

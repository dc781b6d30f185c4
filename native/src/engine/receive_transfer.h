// A Receiver over a connection and the disk. Network thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "engine/context.h"
#include "io/receive_folder.h"
#include "quic/connection.h"
#include "transfer/receiver.h"

namespace thru {

/// An entry that will not be there, with what the system said.
struct EntryProblem {
    std::uint64_t index = 0;
    Error error;
};

class ReceiveTransfer {
public:
    ReceiveTransfer(EngineContext &context, Connection &connection, std::string own_name);
    /// Part files of what is not complete are deleted on the disk pool.
    ~ReceiveTransfer();

    /// Opens the control stream. PeerProtocol when the sender allows none.
    Result<> begin();
    Result<> on_stream_data(StreamId stream, ByteView bytes, bool fin);
    void on_stream_reset(StreamId stream);

    /// Opens `directory`, makes the folders, then asks for the data.
    void accept(const std::string &directory);

    /// Sends messages; once in each turn of the loop. The error that ends the transfer, if any.
    Result<> pump(Timestamp now);
    Timestamp deadline() const { return next_report_; }

    std::vector<ReceiverEvent> take_events() { return std::exchange(events_, {}); }
    std::vector<EntryProblem> take_problems() { return std::exchange(problems_, {}); }
    const ManifestTable &manifest() const { return *receiver_.manifest(); }
    std::uint64_t files() const { return receiver_.files(); }
    /// Written: a segment under way counts before its hash is known.
    std::uint64_t bytes() const { return receiver_.bytes() + unverified_; }
    /// Something was written since the last call.
    bool take_progress() { return std::exchange(progressed_, false); }

private:
    struct Incoming;

    Result<> on_manifest_bytes(ByteView bytes, bool fin);
    Result<> on_segment_bytes(const std::shared_ptr<Incoming> &segment, ByteView bytes, bool fin);
    void write_out(const std::shared_ptr<Incoming> &segment, bool last);
    void on_written(const std::shared_ptr<Incoming> &segment, std::size_t bytes,
                    const Result<> &outcome, bool last);
    void name_file(std::uint64_t index);
    void fail_entry(const WriteFailure &failure);

    EngineContext &context_;
    Connection &connection_;
    Receiver receiver_;
    std::shared_ptr<ReceiveFolder> folder_;
    std::shared_ptr<DiskPool::Strand> folder_strand_;
    ControlDecoder control_;
    std::optional<StreamId> control_stream_;
    std::optional<StreamId> manifest_stream_;
    std::unordered_map<StreamId, std::shared_ptr<Incoming>> incoming_;
    /// Of the last segment taken back; expires with its last write.
    std::weak_ptr<DiskPool::Strand> abandoned_strand_;
    std::uint64_t unverified_ = 0;
    std::uint64_t reported_ = 0;
    Timestamp next_report_ = kNever;
    bool progressed_ = false;
    /// Done was sent, behind which nothing may follow.
    bool done_ = false;
    std::optional<Error> failure_;
    std::vector<EntryProblem> problems_;
    /// All of the receiver's but ReceiverFileWhole, which stays here.
    std::vector<ReceiverEvent> events_;
    std::shared_ptr<bool> alive_;
};

} // namespace thru

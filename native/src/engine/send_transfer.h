// A Sender over a connection and the disk: control stream, manifest stream, segment streams.
// Network thread only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "engine/context.h"
#include "io/segment_reader.h"
#include "quic/connection.h"
#include "transfer/sender.h"

namespace thru {

class SendTransfer {
public:
    /// `manifest` may still grow; `files` is given when it is complete.
    SendTransfer(EngineContext &context, Connection &connection,
                 std::shared_ptr<const ManifestTable> manifest, std::string own_name);
    ~SendTransfer();

    void on_manifest_complete(std::shared_ptr<const SourceFiles> files);
    Result<> on_stream_data(StreamId stream, ByteView bytes);
    void on_stream_closed(StreamId stream);
    /// Queues what can be sent; once in each turn of the loop.
    void pump();

    std::vector<SenderEvent> take_events() { return sender_.take_events(); }

private:
    struct Outgoing;

    void pump_control();
    void pump_manifest();
    void pump_segments();
    void read_ahead(const std::shared_ptr<Outgoing> &segment);
    void on_chunk(const std::shared_ptr<Outgoing> &segment, Chunk chunk,
                  const std::optional<SegmentReader::Failure> &failure);

    EngineContext &context_;
    Connection &connection_;
    Sender sender_;
    std::shared_ptr<const ManifestTable> manifest_;
    std::shared_ptr<const SourceFiles> files_;
    ControlDecoder control_;
    /// The receiver opened its control stream: it can be written to.
    bool control_open_ = false;
    ManifestEncoder manifest_encoder_;
    std::optional<StreamId> manifest_stream_;
    std::size_t manifest_sent_ = 0;
    bool manifest_done_ = false;
    /// Waits for the receiver to allow one more stream.
    std::optional<SegmentPlan> planned_;
    std::vector<std::shared_ptr<Outgoing>> reading_;
    /// Segments taken back, until the receiver has acknowledged it: what is left of them is
    /// planned again only then, or the new plan could overtake the reset.
    struct TakenBack {
        SegmentPlan plan;
        std::uint64_t index = 0;
        ErrorCode code = ErrorCode::Internal;
    };
    std::unordered_map<StreamId, TakenBack> taken_back_;
    /// Bytes that reads under way will bring.
    std::uint64_t expected_ = 0;
    /// Completions that come after this object is gone find it expired.
    std::shared_ptr<bool> alive_;
};

} // namespace thru

#include "io/local_transfer.h"

#include <algorithm>
#include <utility>

#include <gtest/gtest.h>

#include "crypto/digest.h"
#include "transfer/receiver.h"
#include "transfer/sender.h"

namespace thru::test {

namespace {

/// Adds to a time as long as it lives.
class Stopwatch {
public:
    explicit Stopwatch(std::chrono::duration<double> &time) : time_(time) {}
    ~Stopwatch() { time_ += std::chrono::steady_clock::now() - start_; }
    Stopwatch(const Stopwatch &) = delete;
    Stopwatch &operator=(const Stopwatch &) = delete;

private:
    std::chrono::duration<double> &time_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

Bytes encoded(const ManifestTable &manifest) {
    Bytes bytes;
    ManifestEncoder encoder;
    for (std::size_t index = 0; index < manifest.size(); ++index) {
        encoder.add(manifest.entry(index), bytes);
    }
    encoder.finish(bytes);
    return bytes;
}

template <class End> Result<> deliver(const std::vector<ControlMessage> &messages, End &end) {
    for (const ControlMessage &message : messages) {
        if (auto taken = end.on_control(message); !taken) {
            return taken;
        }
    }
    return {};
}

/// What the engine does for a receiver.
class ReceivingEnd {
public:
    ReceivingEnd(LocalTransfer &transfer, const std::filesystem::path &target)
        : transfer_(transfer), target_(target) {}

    Receiver receiver{"receiver"};

    Result<> handle_events();
    Result<> take_segment(ByteView stream, std::size_t chunk);
    void discard() {
        if (folder_) {
            folder_->discard_parts();
        }
    }

private:
    Result<> open();

    LocalTransfer &transfer_;
    std::filesystem::path target_;
    std::shared_ptr<ReceiveFolder> folder_;
};

Result<> ReceivingEnd::open() {
    const Stopwatch watch(transfer_.folder_time);
    auto opened = ReceiveFolder::open(target_.string(), receiver.manifest());
    if (!opened) {
        return std::unexpected(opened.error());
    }
    folder_ = std::move(*opened);
    for (const WriteFailure &failure : folder_->make_folders()) {
        receiver.on_entry_failed(failure.index, failure.error.code);
    }
    receiver.accept();
    return {};
}

Result<> ReceivingEnd::handle_events() {
    for (const ReceiverEvent &event : receiver.take_events()) {
        if (std::holds_alternative<ReceiverOffered>(event)) {
            if (auto opened = open(); !opened) {
                return opened;
            }
        } else if (const auto *whole = std::get_if<ReceiverFileWhole>(&event)) {
            const auto renamed = folder_->name_file(whole->index);
            if (renamed) {
                receiver.on_file_named(whole->index, *renamed);
            } else {
                receiver.on_entry_failed(whole->index, renamed.error().code);
            }
        }
    }
    return {};
}

Result<> ReceivingEnd::take_segment(ByteView stream, std::size_t chunk) {
    const auto header = parse_segment_header(stream);
    if (!header || !*header) {
        return fail(ErrorCode::PeerProtocol);
    }
    if (auto started = receiver.on_segment_started((*header)->plan); !started) {
        return started;
    }
    const auto written = [&] {
        const Stopwatch watch(transfer_.write_time);
        return write_segment(folder_, stream, chunk);
    }();
    if (!written.result) {
        return written.result;
    }
    for (const WriteFailure &failure : written.writer->failures()) {
        receiver.on_entry_failed(failure.index, failure.error.code);
    }
    EXPECT_TRUE(written.writer->complete());
    receiver.on_segment_written(written.writer->plan(), written.writer->renamed());
    return {};
}

Result<> run(LocalTransfer &transfer, ReceivingEnd &receiving, std::size_t chunk) {
    Sender sender(transfer.source.manifest, "sender");
    sender.on_manifest_complete();
    if (auto taken = receiving.receiver.on_manifest_bytes(encoded(*transfer.source.manifest));
        !taken) {
        return taken;
    }
    while (!transfer.finished) {
        if (auto taken = deliver(sender.take_messages(), receiving.receiver); !taken) {
            return taken;
        }
        if (auto handled = receiving.handle_events(); !handled) {
            return handled;
        }
        if (auto taken = deliver(receiving.receiver.take_messages(), sender); !taken) {
            return taken;
        }
        for (const SenderEvent &event : sender.take_events()) {
            if (const auto *finished = std::get_if<SenderFinished>(&event)) {
                transfer.finished = true;
                transfer.totals = finished->totals;
            }
        }
        const auto plan = sender.next_segment();
        if (!plan) {
            continue;
        }
        const auto stream = [&] {
            const Stopwatch watch(transfer.read_time);
            return read_segment(transfer.source, *plan, chunk);
        }();
        if (!stream) {
            sender.on_entry_failed(*plan, stream.error().index, stream.error().error.code);
        } else if (auto taken = receiving.take_segment(*stream, chunk); !taken) {
            return taken;
        }
    }
    return {};
}

} // namespace

Source scan(std::vector<std::string> roots, std::size_t step) {
    Source source{.manifest = std::make_shared<ManifestTable>()};
    const auto scan = std::make_shared<TreeScan>(std::move(roots));
    const auto root_of = std::make_shared<std::vector<std::uint32_t>>();
    for (bool complete = false; !complete;) {
        ScanBatch batch = scan->step(step);
        for (const ScannedEntry &scanned : batch.entries) {
            EXPECT_TRUE(source.manifest->add(scanned.entry).has_value());
            root_of->push_back(scanned.root);
        }
        std::ranges::move(batch.problems, std::back_inserter(source.problems));
        complete = batch.complete;
    }
    source.files = std::make_shared<SourceFiles>(
        source.manifest, [scan, root_of, manifest = source.manifest](std::size_t index) {
            const std::string_view path = manifest->path(index);
            const std::size_t slash = path.find('/');
            const auto below = slash == std::string_view::npos ? "" : path.substr(slash);
            return scan->root_path((*root_of)[index]) + std::string(below);
        });
    return source;
}

std::expected<Bytes, SegmentReader::Failure> read_segment(const Source &source, SegmentPlan plan,
                                                          std::size_t chunk) {
    SegmentReader reader(source.files, std::move(plan));
    Bytes stream(static_cast<std::size_t>(reader.stream_bytes()));
    std::size_t filled = 0;
    while (!reader.finished()) {
        const std::size_t take = std::min(chunk, stream.size() - filled);
        const auto got = reader.read(MutableByteView(stream).subspan(filled, take));
        if (!got) {
            return std::unexpected(got.error());
        }
        filled += *got;
    }
    EXPECT_EQ(filled, stream.size());
    return stream;
}

Bytes segment_stream(const SegmentPlan &plan, std::string_view data) {
    EXPECT_EQ(plan_bytes(plan), data.size());
    Bytes stream;
    encode_segment_header(plan, stream);
    const ByteView bytes = as_bytes(data);
    stream.insert(stream.end(), bytes.begin(), bytes.end());
    Blake3 hasher;
    hasher.update(stream);
    const Digest hash = hasher.finish();
    stream.insert(stream.end(), hash.begin(), hash.end());
    return stream;
}

Written write_segment(const std::shared_ptr<ReceiveFolder> &folder, ByteView stream,
                      std::size_t chunk) {
    const auto header = parse_segment_header(stream);
    if (!header || !*header) {
        ADD_FAILURE() << "no segment";
        return {};
    }
    Written written{.writer = std::make_unique<SegmentWriter>(folder, (*header)->plan,
                                                              stream.first((*header)->consumed))};
    ByteView rest = stream.subspan((*header)->consumed);
    do {
        const ByteView next = rest.first(std::min(chunk, rest.size()));
        written.result = written.writer->write(next);
        rest = rest.subspan(next.size());
    } while (written.result && !rest.empty());
    return written;
}

LocalTransfer transfer(std::vector<std::string> roots, const std::filesystem::path &target,
                       std::size_t chunk) {
    LocalTransfer transfer;
    {
        const Stopwatch watch(transfer.scan_time);
        transfer.source = scan(std::move(roots));
    }
    ReceivingEnd receiving(transfer, target);
    transfer.result = run(transfer, receiving, chunk);
    receiving.discard();
    return transfer;
}

} // namespace thru::test

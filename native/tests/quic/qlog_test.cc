// Records that a connection writes to its log.
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sim/bulk_receiver.h"
#include "sim/virtual_link.h"

namespace thru {
namespace {

struct RecordsOfLog final : QlogSink {
    std::vector<std::string> records;

    void begin(ByteView, bool) override {}
    void write(ByteView record) override { records.emplace_back(record.begin(), record.end()); }
};

/// True for an RFC 7464 record with one JSON text.
bool is_whole(const std::string &record) {
    return record.starts_with('\x1e') && record.ends_with('\n') &&
           nlohmann::json::accept(record.substr(1));
}

TEST(Qlog, EachRecordIsWholeAlsoBehindAPacketOfPaddingAlone) {
    // Both ends write into one log; records don't name their end.
    const auto log = std::make_shared<RecordsOfLog>();
    sim::BulkReceiver sender;
    sim::BulkReceiver receiver;
    sim::Pair pair({}, sender, receiver, {.qlog = log});
    // The sender receives only the hello. It repeats its first flight, and fills the rest of a
    // datagram with a packet of padding.
    pair.to_sender().set_fate([](std::size_t number) {
        return number < 3 || number > 11 ? std::vector<Timestamp>{0} : std::vector<Timestamp>{};
    });
    pair.run_until([] { return false; }, 9);
    ASSERT_GT(log->records.size(), 20U);
    for (const auto &record : log->records) {
        EXPECT_TRUE(is_whole(record)) << record;
    }
}

} // namespace
} // namespace thru

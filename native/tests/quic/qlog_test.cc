// What a connection writes into its log.
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

/// An RFC 7464 record that holds one JSON text.
bool is_whole(const std::string &record) {
    return record.starts_with('\x1e') && record.ends_with('\n') &&
           nlohmann::json::accept(record.substr(1));
}

TEST(Qlog, EachRecordIsWholeAlsoBehindAPacketOfPaddingAlone) {
    // The ends write into one log, which tells nothing of whose a record is.
    const auto log = std::make_shared<RecordsOfLog>();
    sim::BulkReceiver sender;
    sim::BulkReceiver receiver;
    sim::Pair pair({}, sender, receiver, {.qlog = log});
    // The sender hears nothing but the hello, repeats its first flight, and fills up with such a
    // packet what is not full.
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

// The WebAssembly module of a page: its exports and imports, whose contract is
// web/engine/module.ts. A module has one receive. Times are milliseconds, and numbers of files and
// bytes are doubles.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <string>

#include "web/web_receive.h"

extern "C" {

[[clang::import_module("page"), clang::import_name("payload")]]
void page_payload(const char *text, std::size_t size);
[[clang::import_module("page"), clang::import_name("paired")]]
void page_paired(const char *safety, std::size_t size);
[[clang::import_module("page"), clang::import_name("connected")]]
void page_connected();
[[clang::import_module("page"), clang::import_name("greeted")]]
void page_greeted(const char *name, std::size_t size);
[[clang::import_module("page"), clang::import_name("approvalAwaited")]]
void page_approval_awaited();
[[clang::import_module("page"), clang::import_name("entry")]]
void page_entry(double index, int kind, int text, double bytes, const char *path, std::size_t size);
[[clang::import_module("page"), clang::import_name("offered")]]
void page_offered(double end);
[[clang::import_module("page"), clang::import_name("removed")]]
void page_removed(double first, double count);
[[clang::import_module("page"), clang::import_name("data")]]
void page_data(double index, double offset, const std::uint8_t *bytes, std::size_t size);
[[clang::import_module("page"), clang::import_name("segment")]]
void page_segment(double segment);
[[clang::import_module("page"), clang::import_name("file")]]
void page_file(double index, double bytes);
[[clang::import_module("page"), clang::import_name("entryFailed")]]
void page_entry_failed(double index, const char *code, std::size_t size);
[[clang::import_module("page"), clang::import_name("peerPaused")]]
void page_peer_paused(int paused);
[[clang::import_module("page"), clang::import_name("over")]]
void page_over(const char *code, std::size_t code_size, const char *detail, std::size_t size);

} // extern "C"

namespace thru {

namespace {

/// A relay's largest message and the largest set of choices fit.
constexpr std::size_t kInputBytes = 1 << 20;

class ImportedPage final : public WebPage {
public:
    void on_payload(std::string_view payload) override {
        page_payload(payload.data(), payload.size());
    }
    void on_paired(std::string_view safety) override { page_paired(safety.data(), safety.size()); }
    void on_connected() override { page_connected(); }
    void on_greeted(std::string_view sender) override {
        page_greeted(sender.data(), sender.size());
    }
    void on_approval_awaited() override { page_approval_awaited(); }
    void on_entry(std::uint64_t index, const ManifestEntry &entry) override {
        page_entry(static_cast<double>(index), static_cast<int>(entry.kind), entry.text ? 1 : 0,
                   static_cast<double>(entry.size), entry.path.data(), entry.path.size());
    }
    void on_offered(std::uint64_t end) override { page_offered(static_cast<double>(end)); }
    void on_removed(const IndexRange &range) override {
        page_removed(static_cast<double>(range.first), static_cast<double>(range.count));
    }
    void on_data(std::uint64_t index, std::uint64_t offset, ByteView bytes) override {
        page_data(static_cast<double>(index), static_cast<double>(offset), bytes.data(),
                  bytes.size());
    }
    void on_segment(StreamId segment) override { page_segment(static_cast<double>(segment)); }
    void on_file(std::uint64_t index, std::uint64_t bytes) override {
        page_file(static_cast<double>(index), static_cast<double>(bytes));
    }
    void on_entry_failed(std::uint64_t index, ErrorCode code) override {
        const auto name = error_name(code);
        page_entry_failed(static_cast<double>(index), name.data(), name.size());
    }
    void on_peer_paused(bool paused) override { page_peer_paused(paused ? 1 : 0); }
    void on_over(const std::optional<Error> &error) override {
        const auto name = error ? error_name(error->code) : std::string_view{};
        const std::string detail = error ? error->detail : std::string{};
        page_over(name.data(), name.size(), detail.data(), detail.size());
    }
};

struct Module {
    ImportedPage page;
    Bytes input = Bytes(kInputBytes);
    Bytes output;
    std::array<double, 4> totals{};
    std::unique_ptr<WebReceive> receive;

    ByteView given(std::size_t size) const {
        return ByteView{input}.first(std::min(size, input.size()));
    }
};

Module &module() {
    static Module only;
    return only;
}

Timestamp time_of(double milliseconds) {
    return static_cast<Timestamp>(milliseconds * static_cast<double>(kMillisecond));
}

} // namespace

} // namespace thru

using thru::module;
using thru::time_of;

extern "C" {

/// The buffer for the bytes that the next call takes.
[[clang::export_name("input")]] std::uint8_t *thru_input() { return module().input.data(); }

[[clang::export_name("inputBytes")]] std::size_t thru_input_bytes() {
    return module().input.size();
}

/// Takes the code and then this side's name. Calls `over` if it fails.
[[clang::export_name("open")]] void thru_open(std::size_t code_size, std::size_t name_size,
                                              double now) {
    const auto given = module().given(code_size + name_size);
    const auto text = thru::as_text(given);
    auto opened = thru::WebReceive::open(text.substr(0, code_size),
                                         std::string(text.substr(std::min(code_size, text.size()))),
                                         module().page, time_of(now));
    if (opened) {
        module().receive = std::move(*opened);
    } else {
        module().page.on_over(opened.error());
    }
}

[[clang::export_name("signal")]] void thru_signal(std::size_t size, double now) {
    if (module().receive) {
        module().receive->on_signal(thru::as_text(module().given(size)), time_of(now));
    }
}

[[clang::export_name("streamReady")]] void thru_stream_ready(double now) {
    if (module().receive) {
        module().receive->on_stream_ready(time_of(now));
    }
}

[[clang::export_name("bytes")]] void thru_bytes(std::size_t size, double now) {
    if (module().receive) {
        module().receive->on_bytes(module().given(size), time_of(now));
    }
}

[[clang::export_name("streamOver")]] void thru_stream_over(double now) {
    if (module().receive) {
        module().receive->on_stream_over(time_of(now));
    }
}

/// Takes the bytes for the stream; returns their number. They are valid until the next call.
[[clang::export_name("takeOutput")]] std::size_t thru_take_output() {
    module().output = module().receive ? module().receive->take_output() : thru::Bytes{};
    return module().output.size();
}

[[clang::export_name("output")]] const std::uint8_t *thru_output() {
    return module().output.data();
}

/// Takes `count` ranges of unwanted entries, each two little-endian numbers of four bytes.
[[clang::export_name("accept")]] void thru_accept(std::size_t count, double now) {
    if (!module().receive) {
        return;
    }
    constexpr std::size_t kRangeBytes = 2 * sizeof(std::uint32_t);
    const auto given = module().given(count * kRangeBytes);
    thru::IndexRanges unwanted;
    for (std::size_t at = 0; at + kRangeBytes <= given.size(); at += kRangeBytes) {
        std::array<std::uint32_t, 2> range{};
        std::memcpy(range.data(), given.data() + at, kRangeBytes);
        unwanted.push_back({.first = range[0], .count = range[1]});
    }
    module().receive->accept(unwanted, time_of(now));
}

[[clang::export_name("setPaused")]] void thru_set_paused(int paused, double now) {
    if (module().receive) {
        module().receive->set_paused(paused != 0, time_of(now));
    }
}

[[clang::export_name("saved")]] void thru_saved(double segment, double now) {
    if (module().receive) {
        module().receive->saved(static_cast<thru::StreamId>(segment), time_of(now));
    }
}

/// Takes the name of an error code.
[[clang::export_name("end")]] void thru_end(std::size_t size, double now) {
    if (module().receive) {
        const auto code = thru::error_from_name(thru::as_text(module().given(size)));
        module().receive->end({code, 0, "ended by the page"}, time_of(now));
    }
}

/// Returns the time of the next call; infinity if it only follows other calls.
[[clang::export_name("service")]] double thru_service(double now) {
    if (!module().receive) {
        return std::numeric_limits<double>::infinity();
    }
    module().receive->service(time_of(now));
    const auto deadline = module().receive->deadline();
    return deadline == thru::kNever
               ? std::numeric_limits<double>::infinity()
               : std::ceil(static_cast<double>(deadline) / static_cast<double>(thru::kMillisecond));
}

/// Bytes and files that have arrived, and all of them, as four doubles.
[[clang::export_name("totals")]] const double *thru_totals() {
    const auto sums = module().receive ? module().receive->totals() : thru::ReceiverTotals{};
    module().totals = {static_cast<double>(sums.bytes), static_cast<double>(sums.total_bytes),
                       static_cast<double>(sums.files), static_cast<double>(sums.total_files)};
    return module().totals.data();
}

} // extern "C"

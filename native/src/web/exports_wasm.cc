// The WebAssembly module of a page: its exports and imports, whose contract is
// web/engine/module.ts. A module has one transfer. Times are milliseconds, and numbers of files and
// bytes are doubles.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "crypto/digest.h"
#include "web/web_have_check.h"
#include "web/web_receive.h"
#include "web/web_send.h"

extern "C" {

[[clang::import_module("page"), clang::import_name("payload")]]
void page_payload(const char *text, std::size_t size);
[[clang::import_module("page"), clang::import_name("paired")]]
void page_paired(const char *safety, std::size_t size);
[[clang::import_module("page"), clang::import_name("candidate")]]
void page_candidate(const char *line, std::size_t size);
[[clang::import_module("page"), clang::import_name("connected")]]
void page_connected(const std::uint8_t *resume, std::size_t size);
[[clang::import_module("page"), clang::import_name("greeted")]]
void page_greeted(const char *name, std::size_t size);
[[clang::import_module("page"), clang::import_name("origin")]]
void page_origin(const std::uint8_t *id, std::size_t size);
[[clang::import_module("page"), clang::import_name("leftOut")]]
void page_left_out(const char *code, std::size_t size, double entries);
[[clang::import_module("page"), clang::import_name("approvalAwaited")]]
void page_approval_awaited();
[[clang::import_module("page"), clang::import_name("entry")]]
void page_entry(double index, int kind, int text, double bytes, double modified, const char *path,
                std::size_t size);
[[clang::import_module("page"), clang::import_name("offered")]]
void page_offered(double end);
[[clang::import_module("page"), clang::import_name("removed")]]
void page_removed(double first, double count);
[[clang::import_module("page"), clang::import_name("data")]]
void page_data(double index, double offset, const std::uint8_t *bytes, std::size_t size);
[[clang::import_module("page"), clang::import_name("hole")]]
void page_hole(double index, double offset, double length);
[[clang::import_module("page"), clang::import_name("validator")]]
void page_validator(double index, const std::uint8_t *validator, std::size_t size);
[[clang::import_module("page"), clang::import_name("lost")]]
void page_lost(double index, double offset, double length);
[[clang::import_module("page"), clang::import_name("segment")]]
void page_segment(double segment);
[[clang::import_module("page"), clang::import_name("file")]]
void page_file(double index, double bytes);
[[clang::import_module("page"), clang::import_name("entryFailed")]]
void page_entry_failed(double index, const char *code, std::size_t size);
[[clang::import_module("page"), clang::import_name("peerPaused")]]
void page_peer_paused(int paused);
[[clang::import_module("page"), clang::import_name("accepted")]]
void page_accepted();
[[clang::import_module("page"), clang::import_name("read")]]
void page_read(double index, double offset, double length);
[[clang::import_module("page"), clang::import_name("over")]]
void page_over(const char *code, std::size_t code_size, const char *detail, std::size_t size);

} // extern "C"

namespace thru {

namespace {

/// A relay's largest message and the largest set of choices fit.
constexpr std::size_t kInputBytes = 1 << 20;
static_assert(kWebReadBytes <= kInputBytes);

double milliseconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e6; }

class ImportedPage final : public WebPage {
public:
    void on_payload(std::string_view payload) override {
        page_payload(payload.data(), payload.size());
    }
    void on_paired(std::string_view safety) override { page_paired(safety.data(), safety.size()); }
    void on_candidate(std::string_view line) override { page_candidate(line.data(), line.size()); }
    void on_connected(const SecretKey &resume) override {
        page_connected(resume.view().data(), resume.view().size());
    }
    void on_greeted(std::string_view peer) override { page_greeted(peer.data(), peer.size()); }
    void on_origin(const OriginId &origin) override { page_origin(origin.data(), origin.size()); }
    void on_left_out(const LeftOut &left_out) override {
        page_left_out(nullptr, 0, 0);
        for (const auto &reason : left_out.reasons) {
            const auto name = error_name(reason.code);
            page_left_out(name.data(), name.size(), static_cast<double>(reason.entries));
        }
    }
    void on_approval_awaited() override { page_approval_awaited(); }
    void on_entry(std::uint64_t index, const ManifestEntry &entry) override {
        page_entry(static_cast<double>(index), static_cast<int>(entry.kind), entry.text ? 1 : 0,
                   static_cast<double>(entry.size), milliseconds(entry.mtime_ns), entry.path.data(),
                   entry.path.size());
    }
    void on_offered(std::uint64_t end) override { page_offered(static_cast<double>(end)); }
    void on_removed(const IndexRange &range) override {
        page_removed(static_cast<double>(range.first), static_cast<double>(range.count));
    }
    void on_data(std::uint64_t index, std::uint64_t offset, ByteView bytes) override {
        page_data(static_cast<double>(index), static_cast<double>(offset), bytes.data(),
                  bytes.size());
    }
    void on_hole(const Hole &hole) override {
        page_hole(static_cast<double>(hole.index), static_cast<double>(hole.offset),
                  static_cast<double>(hole.length));
    }
    void on_validator(const Validator &validator) override {
        page_validator(static_cast<double>(validator.index), validator.validator.data(),
                       validator.validator.size());
    }
    void on_lost(std::uint64_t index, std::uint64_t offset, std::uint64_t length) override {
        page_lost(static_cast<double>(index), static_cast<double>(offset),
                  static_cast<double>(length));
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
    void on_accepted() override { page_accepted(); }
    void on_read(std::uint64_t index, std::uint64_t offset, std::uint64_t length) override {
        page_read(static_cast<double>(index), static_cast<double>(offset),
                  static_cast<double>(length));
    }
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
    /// At most one of these two is set.
    std::unique_ptr<WebReceive> receive;
    std::unique_ptr<WebSend> send;
    /// The choices for `accept` so far, and the hash for the next of its Haves.
    ReceiverChoices choices;
    Blake3 hasher;

    WebTransfer *transfer() const {
        return send ? static_cast<WebTransfer *>(send.get()) : receive.get();
    }
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

/// Pairs of numbers in the input, from byte `at` on.
template <class Number>
std::vector<std::array<Number, 2>> given_pairs(std::size_t at, std::size_t count) {
    std::vector<std::array<Number, 2>> pairs(
        std::min(count, (kInputBytes - at) / sizeof(std::array<Number, 2>)));
    std::memcpy(pairs.data(), module().input.data() + at,
                pairs.size() * sizeof(std::array<Number, 2>));
    return pairs;
}

} // namespace

} // namespace thru

using thru::given_pairs;
using thru::module;
using thru::time_of;

extern "C" {

/// The buffer for the bytes that the next call takes.
[[clang::export_name("input")]] std::uint8_t *thru_input() { return module().input.data(); }

[[clang::export_name("inputBytes")]] std::size_t thru_input_bytes() {
    return module().input.size();
}

/// Takes the code, this side's name, the receive's id and, if `resumes`, the key of an earlier
/// attempt. Calls `over` if it fails.
[[clang::export_name("open")]] void thru_open(std::size_t code_size, std::size_t name_size,
                                              int resumes, double now) {
    thru::WebAttempt attempt;
    const auto fixed = attempt.receive.size() + (resumes != 0 ? sizeof(thru::SecretKey) : 0);
    const auto given = module().given(code_size + name_size + fixed);
    if (given.size() < fixed) {
        return;
    }
    const auto text = thru::as_text(given.first(given.size() - fixed));
    const auto numbers = given.last(fixed);
    std::ranges::copy(numbers.first(attempt.receive.size()), attempt.receive.begin());
    if (resumes != 0) {
        std::ranges::copy(numbers.subspan(attempt.receive.size()),
                          attempt.resume.emplace().mutable_view().begin());
    }
    auto opened = thru::WebReceive::open(text.substr(0, code_size),
                                         std::string(text.substr(std::min(code_size, text.size()))),
                                         attempt, module().page, time_of(now));
    if (opened) {
        module().receive = std::move(*opened);
    } else {
        module().page.on_over(opened.error());
    }
}

/// The same for sending: the receive's id is the share's, and an id of the page's files follows.
[[clang::export_name("openSend")]] void thru_open_send(std::size_t code_size, std::size_t name_size,
                                                       double now) {
    thru::WebSend::Identity identity;
    const auto fixed = identity.share.size() + identity.files.size();
    const auto given = module().given(code_size + name_size + fixed);
    if (given.size() < code_size + name_size + fixed) {
        return;
    }
    const auto ids = given.last(fixed);
    std::ranges::copy(ids.first(identity.share.size()), identity.share.begin());
    std::ranges::copy(ids.last(identity.files.size()), identity.files.begin());
    const auto text = thru::as_text(given.first(code_size + name_size));
    auto opened =
        thru::WebSend::open(text.substr(0, code_size), std::string(text.substr(code_size)),
                            identity, module().page, time_of(now));
    if (opened) {
        module().send = std::move(*opened);
    } else {
        module().page.on_over(opened.error());
    }
}

/// Adds a file or folder with this path to the offer; false if a limit is reached.
[[clang::export_name("add")]] int thru_add(std::size_t path_size, int kind, double bytes,
                                           double modified) {
    const bool folder = kind == static_cast<int>(thru::EntryKind::Folder);
    return module().send &&
           module().send->add(
               {.kind = folder ? thru::EntryKind::Folder : thru::EntryKind::File,
                .path = std::string(thru::as_text(module().given(path_size))),
                .size = folder ? 0 : static_cast<std::uint64_t>(bytes),
                .mtime_ns =
                    static_cast<std::int64_t>(std::clamp(modified, -9e12, 9e12)) * 1'000'000});
}

/// Offers everything added.
[[clang::export_name("offer")]] void thru_offer(double now) {
    if (module().send) {
        module().send->offer(time_of(now));
    }
}

/// Takes the bytes of the oldest read.
[[clang::export_name("readDone")]] void thru_read_done(std::size_t size, double now) {
    if (module().send) {
        module().send->on_read(module().given(size), time_of(now));
    }
}

/// Takes the name of the error with which the oldest read failed.
[[clang::export_name("readFailed")]] void thru_read_failed(std::size_t size, double now) {
    if (module().send) {
        const auto code = thru::error_from_name(thru::as_text(module().given(size)));
        module().send->on_read_failed(code, time_of(now));
    }
}

[[clang::export_name("signal")]] void thru_signal(std::size_t size, double now) {
    if (auto *transfer = module().transfer()) {
        transfer->on_signal(thru::as_text(module().given(size)), time_of(now));
    }
}

[[clang::export_name("streamReady")]] void thru_stream_ready(double now) {
    if (auto *transfer = module().transfer()) {
        transfer->on_stream_ready(time_of(now));
    }
}

[[clang::export_name("bytes")]] void thru_bytes(std::size_t size, int second, double now) {
    if (auto *transfer = module().transfer()) {
        transfer->on_bytes(module().given(size), time_of(now), second != 0);
    }
}

[[clang::export_name("streamOver")]] void thru_stream_over(double now) {
    if (auto *transfer = module().transfer()) {
        transfer->on_stream_over(time_of(now));
    }
}

/// Takes the bytes for the stream; returns their number. They are valid until the next call.
[[clang::export_name("takeOutput")]] std::size_t thru_take_output() {
    auto *transfer = module().transfer();
    module().output = transfer != nullptr ? transfer->take_output() : thru::Bytes{};
    return module().output.size();
}

[[clang::export_name("output")]] const std::uint8_t *thru_output() {
    return module().output.data();
}

/// Takes `count` ranges of entries, each two little-endian numbers of four bytes: for `accept`,
/// these are complete, or unwanted. Ranges are in order, also those of several calls.
[[clang::export_name("choose")]] void thru_choose(int complete, std::size_t count) {
    auto &ranges = complete != 0 ? module().choices.present : module().choices.unwanted;
    for (const auto &[first, length] : given_pairs<std::uint32_t>(0, count)) {
        ranges.push_back({.first = first, .count = length});
    }
}

/// Takes bytes whose hash the next `have` tells the sender.
[[clang::export_name("hash")]] void thru_hash(std::size_t size) {
    module().hasher.update(module().given(size));
}

/// Tells the next `accept` that the page has the first `offset` bytes of a file, except `missing`
/// ranges. `hash` got the bytes from `hash_begin` on. Takes the validator, and each range as two
/// doubles.
[[clang::export_name("have")]] void thru_have(double index, double offset, double hash_begin,
                                              std::size_t missing) {
    thru::Have have{.index = static_cast<std::uint64_t>(index),
                    .offset = static_cast<std::uint64_t>(offset),
                    .hash_begin = static_cast<std::uint64_t>(hash_begin),
                    .hash = std::exchange(module().hasher, {}).finish()};
    std::ranges::copy(module().given(have.validator.size()), have.validator.begin());
    for (const auto &[begin, length] : given_pairs<double>(have.validator.size(), missing)) {
        module().choices.missing.push_back({.index = have.index,
                                            .offset = static_cast<std::uint64_t>(begin),
                                            .length = static_cast<std::uint64_t>(length)});
    }
    module().choices.have.push_back(have);
}

/// Requests what is missing, by the calls before.
[[clang::export_name("accept")]] void thru_accept(double now) {
    if (module().receive) {
        module().receive->accept(std::exchange(module().choices, {}), time_of(now));
    }
}

[[clang::export_name("setPaused")]] void thru_set_paused(int paused, double now) {
    if (auto *transfer = module().transfer()) {
        transfer->set_paused(paused != 0, time_of(now));
    }
}

[[clang::export_name("saved")]] void thru_saved(double segment, double now) {
    if (module().receive) {
        module().receive->saved(static_cast<thru::StreamId>(segment), time_of(now));
    }
}

/// Takes the name of an error code.
[[clang::export_name("end")]] void thru_end(std::size_t size, double now) {
    if (auto *transfer = module().transfer()) {
        const auto code = thru::error_from_name(thru::as_text(module().given(size)));
        transfer->end({code, 0, "ended by the page"}, time_of(now));
    }
}

/// Returns the time of the next call; infinity if it only follows other calls.
[[clang::export_name("service")]] double thru_service(double now) {
    auto *transfer = module().transfer();
    if (transfer == nullptr) {
        return std::numeric_limits<double>::infinity();
    }
    transfer->service(time_of(now));
    const auto deadline = transfer->deadline();
    return deadline == thru::kNever
               ? std::numeric_limits<double>::infinity()
               : std::ceil(static_cast<double>(deadline) / static_cast<double>(thru::kMillisecond));
}

/// Bytes and files that have arrived, and all of them, as four doubles.
[[clang::export_name("totals")]] const double *thru_totals() {
    const auto *transfer = module().transfer();
    const auto sums = transfer != nullptr ? transfer->totals() : thru::WebTotals{};
    module().totals = {static_cast<double>(sums.bytes), static_cast<double>(sums.total_bytes),
                       static_cast<double>(sums.files), static_cast<double>(sums.total_files)};
    return module().totals.data();
}

} // extern "C"

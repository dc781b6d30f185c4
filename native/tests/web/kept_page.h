// A page behind a transfer, in memory.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "web/web_page.h"
#include "wire/segment.h"

namespace thru::test {

/// A page that keeps everything in memory. Its test confirms segments and answers reads.
struct KeptPage final : WebPage {
    void on_payload(std::string_view payload) override { payloads.emplace_back(payload); }
    void on_paired(std::string_view digits) override { safety = digits; }
    void on_candidate(std::string_view line) override { candidates.emplace_back(line); }
    void on_connected(const SecretKey &key) override {
        connected = true;
        resume = key;
    }
    void on_greeted(std::string_view name) override { peer = name; }
    void on_origin(const OriginId &id) override { origin = id; }
    void on_left_out(const LeftOut &list) override { left_out = list; }
    void on_approval_awaited() override {}
    void on_entry(std::uint64_t index, const ManifestEntry &entry) override {
        entries[index] = entry;
    }
    void on_offered(std::uint64_t end) override { offered = end; }
    void on_removed(const IndexRange &) override {}
    void on_data(std::uint64_t index, std::uint64_t offset, ByteView bytes) override {
        auto &file = files[index];
        file.resize(std::max<std::size_t>(file.size(), offset + bytes.size()));
        std::ranges::copy(bytes, file.begin() + static_cast<std::ptrdiff_t>(offset));
    }
    void on_hole(const Hole &hole) override { holes.push_back(hole); }
    void on_validator(const Validator &validator) override {
        validators[validator.index] = validator.validator;
    }
    void on_lost(std::uint64_t index, std::uint64_t offset, std::uint64_t length) override {
        lost.push_back({.index = index, .offset = offset, .length = length});
    }
    void on_segment(StreamId segment) override { unsaved.push_back(segment); }
    void on_file(std::uint64_t index, std::uint64_t) override { whole.insert(index); }
    void on_entry_failed(std::uint64_t index, ErrorCode code) override { failed[index] = code; }
    void on_peer_paused(bool) override {}
    void on_accepted() override { accepted = true; }
    void on_read(std::uint64_t index, std::uint64_t offset, std::uint64_t length) override {
        reads.push_back({.index = index, .offset = offset, .length = length});
    }
    void on_over(const std::optional<Error> &why) override {
        over = true;
        error = why;
    }

    std::vector<std::string> payloads;
    std::vector<std::string> candidates;
    std::string safety;
    bool connected = false;
    SecretKey resume;
    std::optional<OriginId> origin;
    LeftOut left_out;
    std::vector<Hole> holes;
    std::map<std::uint64_t, WireId> validators;
    std::vector<Piece> lost;
    std::string peer;
    std::map<std::uint64_t, ManifestEntry> entries;
    std::uint64_t offered = 0;
    std::map<std::uint64_t, Bytes> files;
    std::vector<StreamId> unsaved;
    std::set<std::uint64_t> whole;
    std::map<std::uint64_t, ErrorCode> failed;
    bool accepted = false;
    std::deque<Piece> reads;
    bool over = false;
    std::optional<Error> error;
};

} // namespace thru::test

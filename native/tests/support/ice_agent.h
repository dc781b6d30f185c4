// An ICE agent on the interfaces of this computer, and its events, for tests.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "path/ice_path.h"

namespace thru::test {

/// The credentials of both sides.
inline const IceCredentials kOne{.ufrag = "00000001",
                                 .pwd = SecretText("00112233445566778899aabbccddeeff")};
inline const IceCredentials kOther{.ufrag = "00000002",
                                   .pwd = SecretText("ffeeddccbbaa99887766554433221100")};

class IceAgent final : public IceListener {
public:
    IceAgent(EventLoop &loop, bool controlling, const IceServers &servers = {})
        : path_(IcePath::create(loop, servers, controlling, *this).value()) {
        EXPECT_TRUE(path_->gather());
    }

    IcePath &path() { return *path_; }
    const std::vector<std::string> &candidates() const { return candidates_; }
    bool gathered() const { return gathered_; }
    /// Source of the last datagram; empty if it is the expected one.
    const std::optional<Address> &heard() const { return heard_; }

private:
    void on_local_candidate(std::string_view line) override { candidates_.emplace_back(line); }
    void on_local_candidates_done() override { gathered_ = true; }
    void on_ice_ready() override { EXPECT_TRUE(path_->ready()); }
    void on_ice_failed() override {}
    void on_datagrams(ByteView, std::size_t, const Address &from) override { heard_ = from; }
    void on_writable() override {}

    std::vector<std::string> candidates_;
    bool gathered_ = false;
    std::optional<Address> heard_;
    std::unique_ptr<IcePath> path_;
};

} // namespace thru::test

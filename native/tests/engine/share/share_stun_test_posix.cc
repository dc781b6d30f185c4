// The choice of STUN server over the lifetime of a share.
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "engine/hostile/hostile_share.h"
#include "engine/hostile/stranger.h"
#include "support/local_stun_posix.h"

namespace thru {
namespace {

class ShareStun : public HostileShare {
public:
    /// A receiver that proves itself, then stays silent: only servers are queried.
    std::unique_ptr<Stranger> proven(const std::string &peer) {
        pair().sender.advance(2 * kSecond);
        auto knowing = std::make_unique<Stranger>(pair(), peer, right_words());
        knowing->knock();
        EXPECT_TRUE(knowing->hear()) << "the sender's share";
        knowing->speak();
        EXPECT_TRUE(knowing->hear()) << "the sender's proof";
        return knowing;
    }
};

TEST_F(ShareStun, IsTheOneThatItWasToldLast) {
    pair().write_source("a.bin", kFileBytes);
    const test::LocalStun before;
    const test::LocalStun after;
    pair().sender.post(OpenShare{.session = EnginePair::kShare,
                                 .items = {{.path = pair().source().string()}},
                                 .name = "Mina",
                                 .ice = {.stun = {before.place()}}});
    pair().sender.post(SetCode{EnginePair::kShare,
                               std::string(EnginePair::kNameplate) + "-" + EnginePair::kWords});
    const auto first = proven("first");
    EXPECT_TRUE(before.is_asked());

    pair().sender.post(SetStun{EnginePair::kShare, {after.place(), before.place()}});
    const auto second = proven("second");
    EXPECT_TRUE(after.is_asked());
}

} // namespace
} // namespace thru

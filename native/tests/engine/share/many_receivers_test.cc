// Simultaneous receivers of one share: each gets the offered files, regardless of the others.
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "crypto/signature.h"
#include "engine/engine_pair.h"
#include "engine/segment_cache.h"
#include "fs/disk.h"

namespace thru {
namespace {

/// A share with receivers in one other engine; their sessions start at kFirst.
class ManyReceivers : public testing::Test {
protected:
    static constexpr SessionNumber kFirst = 10;

    static std::string peer(SessionNumber session) { return "p" + std::to_string(session); }
    static WireId id(SessionNumber session) { return {static_cast<std::uint8_t>(session), 7}; }

    std::filesystem::path target(SessionNumber session) const {
        return pair_.target() / std::to_string(session);
    }
    void join(SessionNumber session, const ReceiveSecret &secret = ByWords{EnginePair::kWords}) {
        pair_.join(session, peer(session), secret, id(session));
    }
    void accept(SessionNumber session) {
        pair_.receiver.wait_for<OfferEvent>(of_session<OfferEvent>(session));
        pair_.receiver.post(Accept{session, target(session).string(), {}, {}});
    }
    FinishedEvent finish(SessionNumber session) {
        return pair_.receiver.wait_for<FinishedEvent>(of_session<FinishedEvent>(session));
    }
    /// True if the receiver got exactly the source.
    bool has_all(SessionNumber session) const {
        return pair_.same_trees(pair_.source(), target(session));
    }
    /// True if the receiver got this file of the source unchanged.
    bool has(SessionNumber session, const std::string &name) const {
        return test::read_file(target(session) / "source" / name) ==
               test::read_file(pair_.source() / name);
    }
    /// Changes a file, so that reopening it fails.
    void change(const std::string &name) const { test::make_old(pair_.source() / name); }

    EnginePair pair_;
};

TEST_F(ManyReceivers, EightAtOnceGetEverything) {
    constexpr SessionNumber kEnd = kFirst + 8;
    pair_.write_source("big.bin", 20'000'000);
    for (int index = 0; index < 100; ++index) {
        pair_.write_source("many/" + std::to_string(index), 3'000,
                           static_cast<std::uint32_t>(index));
    }
    pair_.share({pair_.source().string()});
    for (auto session = kFirst; session < kEnd; ++session) {
        join(session);
    }
    for (auto session = kFirst; session < kEnd; ++session) {
        accept(session);
    }
    for (auto session = kFirst; session < kEnd; ++session) {
        EXPECT_EQ(finish(session).files, 101U);
        EXPECT_TRUE(has_all(session));
    }
}

TEST_F(ManyReceivers, OneThatPausesHoldsNobodyUpAndGetsTheRestLater) {
    pair_.write_source("big.bin", 50'000'000);
    pair_.share({pair_.source().string()});
    // The transfer takes two and a half seconds, so it is paused midway.
    pair_.sender.post(SetLimits{.upload = 20'000'000});
    join(kFirst);
    accept(kFirst);
    pair_.sender.wait_for<ProgressEvent>(
        [](const ProgressEvent &event) { return event.bytes > 0; });
    pair_.receiver.post(SetPaused{kFirst, {}, true});
    pair_.sender.wait_for<FlowEvent>(
        [](const FlowEvent &event) { return event.state.kind == FlowState::Kind::PausedByPeer; });
    pair_.sender.post(SetLimits{});
    join(kFirst + 1);
    join(kFirst + 2);
    accept(kFirst + 1);
    accept(kFirst + 2);
    for (const auto session : {kFirst + 1, kFirst + 2}) {
        EXPECT_EQ(finish(session).problems, 0U);
        EXPECT_TRUE(has_all(session));
    }
    EXPECT_EQ(pair_.receiver.count<FinishedEvent>(of_session<FinishedEvent>(kFirst)), 0U);
    pair_.receiver.post(SetPaused{kFirst, {}, false});
    EXPECT_EQ(finish(kFirst).problems, 0U);
    EXPECT_TRUE(has_all(kFirst));
}

TEST_F(ManyReceivers, AChangedFileIsFoundForEachOfThem) {
    pair_.write_source("changing.bin", 3'000'000);
    pair_.write_source("staying.bin", 3'000'000);
    pair_.share({pair_.source().string()});
    join(kFirst);
    accept(kFirst);
    EXPECT_EQ(finish(kFirst).problems, 0U);
    change("changing.bin");
    pair_.sender.advance(kSharedFor);
    for (const auto session : {kFirst + 1, kFirst + 2}) {
        join(session);
        accept(session);
    }
    for (const auto session : {kFirst + 1, kFirst + 2}) {
        const auto finished = finish(session);
        EXPECT_EQ(finished.files, 1U);
        EXPECT_EQ(finished.problems, 1U);
        EXPECT_FALSE(std::filesystem::exists(target(session) / "source/changing.bin"));
        EXPECT_TRUE(has(session, "staying.bin"));
    }
}

TEST_F(ManyReceivers, FortyStayConnectedBesideOneThatReceives) {
    constexpr SessionNumber kEnd = kFirst + 40;
    pair_.write_source("a.bin", 5'000'000);
    const auto mina = SigningKey::create();
    const auto jonas = SigningKey::create();
    const auto contact = [](const char *name, const SigningKey &key) {
        return Contact{.id = name, .public_key = key.public_key(), .shared = {}};
    };
    pair_.sender.post(SetContacts{.own = mina.seed(), .contacts = {contact("jonas", jonas)}});
    pair_.receiver.post(SetContacts{.own = jonas.seed(), .contacts = {contact("mina", mina)}});
    pair_.share({pair_.source().string()});
    pair_.sender.post(SetMaxReceivers{EnginePair::kShare, 200});
    for (auto session = kFirst; session < kEnd; ++session) {
        // One contact may prove itself three times simultaneously.
        join(session, ByContact{"mina"});
        pair_.sender.wait_for<PairingDoneEvent>(
            [&](const PairingDoneEvent &done) { return done.peer == peer(session); });
    }
    for (auto session = kFirst; session < kEnd; ++session) {
        pair_.receiver.wait_for<OfferEvent>(of_session<OfferEvent>(session));
    }
    accept(kFirst + 20);
    EXPECT_EQ(finish(kFirst + 20).files, 1U);
    EXPECT_EQ(pair_.sender.count<FailedEvent>(), 0U);
    EXPECT_EQ(pair_.receiver.count<FailedEvent>(), 0U);
}

} // namespace
} // namespace thru

// A path whose carriers are connected local sockets, added like any new kind of carrier.
#include "path/carrier_set.h"

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support/run_until.h"

namespace thru {
namespace {

/// One end of a pair of connected sockets, with a state that the test sets.
class TestCarrier final : public Carrier, public Companion {
public:
    TestCarrier(EventLoop &loop, CarrierListener &listener, CarrierKind kind, int descriptor)
        : loop_(loop), listener_(listener), kind_(kind), descriptor_(descriptor) {
        loop_.watch(descriptor_, [this] { read(); });
    }
    ~TestCarrier() override {
        loop_.unwatch(descriptor_);
        close(descriptor_);
    }
    TestCarrier(const TestCarrier &) = delete;
    TestCarrier &operator=(const TestCarrier &) = delete;

    void become(CarrierState state) {
        state_ = state;
        listener_.on_carrier_changed(*this);
    }
    void become(CarrierKind kind) {
        kind_ = kind;
        become(CarrierState::Found);
    }
    void become_writable() { listener_.on_carrier_writable(*this); }
    void receive(const Bytes &datagram, const Address &from) {
        listener_.on_carrier_datagrams(*this, datagram, datagram.size(), from);
    }

    CarrierKind kind() const override { return kind_; }
    CarrierState state() const override { return state_; }
    void begin() override { become(CarrierState::Searching); }
    void settle(bool used) override {
        if (!used && kind_ != CarrierKind::WebTransport) {
            state_ = CarrierState::Over;
        }
    }
    Route route() const override {
        const auto kind = kind_ == CarrierKind::DirectUdp   ? Route::Kind::Local
                          : kind_ == CarrierKind::DirectTcp ? Route::Kind::Direct
                                                            : Route::Kind::Relay;
        if (beyond_router) {
            return {.kind = Route::Kind::Direct, .one_site = true};
        }
        return {.kind = kind, .tcp = kind_ == CarrierKind::DirectTcp};
    }
    std::span<const std::uint16_t> datagram_bytes() const override { return kSizes; }
    Address local() const override { return {}; }
    DatagramPath::Sent send(ByteView bytes, std::size_t, const PathId &) override {
        EXPECT_EQ(::send(descriptor_, bytes.data(), bytes.size(), 0),
                  static_cast<ssize_t>(bytes.size()));
        return {.bytes = bytes.size()};
    }
    std::optional<Error> failure() const override { return why; }
    Companion *companion() override { return kind_ == CarrierKind::DirectTcp ? this : nullptr; }
    void accompany(const Address &, const Address &) override { accompanies = true; }
    void on_pair_datagrams(Timestamp) override { ++pair_datagrams; }
    bool is_lossy(Timestamp) override { return lossy; }
    void part() override { become(CarrierState::Over); }

    std::optional<Error> why;
    bool accompanies = false;
    bool lossy = false;
    /// A direct pair's addresses are of one site, but of different networks.
    bool beyond_router = false;
    int pair_datagrams = 0;
    int received = 0;

private:
    static constexpr std::array<std::uint16_t, 1> kSizes{1280};
    void read() {
        Bytes bytes(kSizes[0]);
        const auto size = recv(descriptor_, bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (size > 0) {
            ++received;
            bytes.resize(static_cast<std::size_t>(size));
            listener_.on_carrier_datagrams(*this, bytes, bytes.size(), {});
        }
    }

    EventLoop &loop_;
    CarrierListener &listener_;
    CarrierKind kind_;
    CarrierState state_ = CarrierState::Searching;
    int descriptor_;
};

/// One side of the path.
class PathSide final : public CarrierSet::Owner, public DatagramListener {
public:
    PathSide(EventLoop &loop, bool chooses) : carriers(loop, *this, *this, chooses) {}

    TestCarrier &add(EventLoop &loop, CarrierKind kind, int descriptor) {
        auto carrier = std::make_unique<TestCarrier>(loop, carriers.listener(), kind, descriptor);
        auto &added = *carrier;
        if (kind == CarrierKind::ServerRelay) {
            added.become(CarrierState::Idle);
        }
        carriers.add(std::move(carrier));
        return added;
    }
    void send(const Bytes &datagram) {
        EXPECT_EQ(carriers.send(datagram, datagram.size(), {}).bytes, datagram.size());
    }

    std::vector<Bytes> datagrams;
    int ready = 0;
    int failed = 0;
    int writable = 0;
    CarrierSet carriers;

private:
    void on_ready() override { ++ready; }
    void on_failed() override { ++failed; }
    void on_datagrams(ByteView bytes, std::size_t, const Address &) override {
        datagrams.emplace_back(bytes.begin(), bytes.end());
    }
    void on_writable() override { ++writable; }
};

class CarrierSetTest : public testing::Test {
protected:
    CarrierSetTest() { loop_.prepare_thread(); }

    /// Adds carriers of one kind on both sides, connected to each other.
    std::pair<TestCarrier &, TestCarrier &> connect(CarrierKind kind) {
        std::array<int, 2> ends{};
        EXPECT_EQ(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends.data()), 0);
        return {sender_.add(loop_, kind, ends[0]), receiver_.add(loop_, kind, ends[1])};
    }
    template <class Condition> bool run_until(Condition done) {
        return test::run_until(loop_, done);
    }

    EventLoop loop_;
    PathSide sender_{loop_, false};
    PathSide receiver_{loop_, true};
    const Bytes hello_{1, 2, 3};
};

TEST_F(CarrierSetTest, CarriesBothWaysByTheOneThatTheReceiverChooses) {
    const auto pairs = connect(CarrierKind::DirectUdp);
    const auto relays = connect(CarrierKind::ServerRelay);
    for (auto *each : {&pairs.first, &pairs.second}) {
        each->become(CarrierState::Over);
    }
    EXPECT_EQ(sender_.failed + receiver_.failed, 0) << "the relay begins";
    for (auto *each : {&relays.first, &relays.second}) {
        EXPECT_EQ(each->state(), CarrierState::Searching);
        each->become(CarrierState::Found);
    }
    EXPECT_EQ(receiver_.ready, 1);
    EXPECT_EQ(sender_.ready, 0) << "the sender follows";
    receiver_.send(hello_);
    ASSERT_TRUE(run_until([&] { return sender_.datagrams.size() == 1; }));
    EXPECT_EQ(sender_.datagrams.front(), hello_);
    EXPECT_EQ(sender_.ready, 1);
    EXPECT_EQ(sender_.carriers.route().kind, Route::Kind::Relay);
    sender_.carriers.settle(true);
    receiver_.carriers.settle(true);
    sender_.send(hello_);
    EXPECT_TRUE(run_until([&] { return receiver_.datagrams.size() == 1; }));
}

TEST_F(CarrierSetTest, FollowsABrowserEvenAfterTheChoice) {
    connect(CarrierKind::DirectUdp);
    const auto relays = connect(CarrierKind::ServerRelay);
    for (auto *each : {&relays.first, &relays.second}) {
        each->become(CarrierState::Found);
    }
    receiver_.send(hello_);
    ASSERT_TRUE(run_until([&] { return sender_.datagrams.size() == 1; }));
    const auto direct = connect(CarrierKind::WebTransport);
    sender_.carriers.settle(true);
    EXPECT_FALSE(sender_.carriers.moved());
    direct.first.become(CarrierState::Found);
    EXPECT_TRUE(sender_.carriers.moved());
    EXPECT_EQ(sender_.writable, 1);
    receiver_.send(hello_);
    ASSERT_TRUE(run_until([&] { return sender_.datagrams.size() == 2; })) << "sent before";
    sender_.send(hello_);
    direct.second.become(CarrierState::Found);
    EXPECT_TRUE(run_until([&] { return direct.second.received == 1; }));
}

TEST_F(CarrierSetTest, ABrowserThatMovedLeavesItsRelayItself) {
    connect(CarrierKind::DirectUdp);
    const auto relays = connect(CarrierKind::ServerRelay);
    const auto direct = connect(CarrierKind::WebTransport);
    relays.first.become(CarrierState::Found);
    direct.first.become(CarrierState::Found);
    sender_.carriers.settle(true);
    EXPECT_EQ(relays.first.state(), CarrierState::Found);
}

TEST_F(CarrierSetTest, ReturnsToTheRelayOfABrowserWhoseWebTransportEnds) {
    connect(CarrierKind::DirectUdp);
    const auto relays = connect(CarrierKind::ServerRelay);
    const auto direct = connect(CarrierKind::WebTransport);
    for (auto *each : {&relays.first, &relays.second, &direct.first}) {
        each->become(CarrierState::Found);
    }
    sender_.carriers.settle(true);
    direct.first.become(CarrierState::Over);
    EXPECT_FALSE(sender_.carriers.moved());
    EXPECT_EQ(sender_.writable, 1);
    sender_.send(hello_);
    EXPECT_TRUE(run_until([&] { return relays.second.received == 1; }));
    receiver_.send(hello_);
    EXPECT_TRUE(run_until([&] { return sender_.datagrams.size() == 1; }));
}

TEST_F(CarrierSetTest, FollowsABrowserToARelayThatItFindsAfterWebTransportEnded) {
    connect(CarrierKind::DirectUdp);
    const auto relays = connect(CarrierKind::ServerRelay);
    const auto direct = connect(CarrierKind::WebTransport);
    direct.first.become(CarrierState::Found);
    direct.first.become(CarrierState::Over);
    EXPECT_FALSE(sender_.carriers.moved());
    for (auto *each : {&relays.first, &relays.second}) {
        each->become(CarrierState::Found);
    }
    receiver_.send(hello_);
    ASSERT_TRUE(run_until([&] { return sender_.datagrams.size() == 1; }));
    sender_.carriers.settle(true);
    sender_.send(hello_);
    EXPECT_TRUE(run_until([&] { return relays.second.received == 1; }));
}

TEST_F(CarrierSetTest, AReceiverFollowsABrowserThatSends) {
    connect(CarrierKind::DirectUdp);
    const auto relays = connect(CarrierKind::ServerRelay);
    relays.second.become(CarrierState::Found);
    EXPECT_EQ(receiver_.ready, 1);
    const auto direct = connect(CarrierKind::WebTransport);
    receiver_.carriers.settle(true);
    direct.second.become(CarrierState::Found);
    EXPECT_TRUE(receiver_.carriers.moved());
    EXPECT_EQ(receiver_.writable, 1);
    receiver_.send(hello_);
    EXPECT_TRUE(run_until([&] { return direct.first.received == 1; }));
    relays.first.send(hello_, hello_.size(), {});
    EXPECT_TRUE(run_until([&] { return receiver_.datagrams.size() == 1; })) << "sent before";
    receiver_.carriers.settle(true);
    EXPECT_EQ(relays.second.state(), CarrierState::Found);
}

TEST_F(CarrierSetTest, AReceiverThatBeginsByWebTransportReturnsToARelayThatItFindsLater) {
    connect(CarrierKind::DirectUdp);
    const auto relays = connect(CarrierKind::ServerRelay);
    const auto direct = connect(CarrierKind::WebTransport);
    relays.second.become(CarrierState::Searching);
    direct.second.become(CarrierState::Found);
    EXPECT_EQ(receiver_.ready, 1);
    receiver_.send(hello_);
    EXPECT_TRUE(run_until([&] { return direct.first.received == 1; }));
    direct.second.become(CarrierState::Over);
    EXPECT_FALSE(receiver_.carriers.moved());
    relays.second.become(CarrierState::Found);
    receiver_.send(hello_);
    EXPECT_TRUE(run_until([&] { return relays.first.received == 1; }));
    receiver_.carriers.settle(true);
    EXPECT_EQ(relays.second.state(), CarrierState::Found);
    EXPECT_EQ(receiver_.ready, 1);
}

TEST_F(CarrierSetTest, TheSenderFollowsTheLatestDatagramUntilSettled) {
    const auto pairs = connect(CarrierKind::DirectUdp);
    const auto streams = connect(CarrierKind::DirectTcp);
    pairs.first.become(CarrierState::Found);
    streams.first.become(CarrierState::Found);
    EXPECT_EQ(sender_.ready, 1);
    for (auto *from : {&streams.second, &pairs.second, &streams.second}) {
        const auto before = sender_.datagrams.size();
        from->send(hello_, hello_.size(), {});
        ASSERT_TRUE(run_until([&] { return sender_.datagrams.size() == before + 1; }));
        EXPECT_EQ(sender_.carriers.route().tcp, from == &streams.second);
    }
    sender_.carriers.settle(false);
    pairs.second.send(hello_, hello_.size(), {});
    ASSERT_TRUE(run_until([&] { return sender_.datagrams.size() == 4; }));
    EXPECT_TRUE(sender_.carriers.route().tcp);
}

TEST_F(CarrierSetTest, NothingOfACarrierThatTheReceiverDidNotChooseGetsIn) {
    const auto pairs = connect(CarrierKind::DirectUdp);
    const auto streams = connect(CarrierKind::DirectTcp);
    pairs.second.become(CarrierState::Found);
    streams.first.send(hello_, hello_.size(), {});
    pairs.first.send(Bytes{4}, 1, {});
    ASSERT_TRUE(run_until([&] { return !receiver_.datagrams.empty(); }));
    EXPECT_EQ(receiver_.datagrams, std::vector<Bytes>{Bytes{4}});
    streams.second.become_writable();
    EXPECT_EQ(receiver_.writable, 0);
}

TEST_F(CarrierSetTest, TcpCarriesBesideThePairOfALocalNetworkUntilItParts) {
    const auto pairs = connect(CarrierKind::DirectUdp);
    const auto streams = connect(CarrierKind::DirectTcp);
    pairs.second.become(CarrierState::Found);
    streams.second.become(CarrierState::Found);
    receiver_.carriers.settle(true);
    EXPECT_TRUE(streams.second.accompanies);
    EXPECT_TRUE(receiver_.carriers.route().tcp);

    receiver_.carriers.send_last(hello_, {});
    ASSERT_TRUE(run_until([&] { return sender_.datagrams.size() == 2; })) << "by both";
    pairs.first.send(hello_, hello_.size(), {});
    EXPECT_TRUE(run_until([&] { return streams.second.pair_datagrams == 1; }));

    EXPECT_TRUE(receiver_.carriers.leave_companion());
    EXPECT_FALSE(receiver_.carriers.leave_companion());
    EXPECT_FALSE(receiver_.carriers.route().tcp);
}

TEST_F(CarrierSetTest, AStrangersDatagramIsNoSignThatTheOtherSideLeftTcp) {
    const auto pairs = connect(CarrierKind::DirectUdp);
    const auto streams = connect(CarrierKind::DirectTcp);
    pairs.second.become(CarrierState::Found);
    streams.second.become(CarrierState::Found);
    receiver_.carriers.settle(true);
    const sockaddr_in stranger{.sin_family = AF_INET};
    pairs.second.receive(hello_, Address(reinterpret_cast<const sockaddr &>(stranger)));
    EXPECT_EQ(receiver_.datagrams, std::vector<Bytes>{hello_}) << "QUIC rejects it";
    EXPECT_EQ(streams.second.pair_datagrams, 0);
    pairs.second.receive(hello_, {});
    EXPECT_EQ(streams.second.pair_datagrams, 1);
}

TEST_F(CarrierSetTest, ThePairCarriesAloneOnceTcpIsLossy) {
    const auto pairs = connect(CarrierKind::DirectUdp);
    const auto streams = connect(CarrierKind::DirectTcp);
    pairs.second.become(CarrierState::Found);
    streams.second.become(CarrierState::Found);
    receiver_.carriers.settle(true);
    EXPECT_FALSE(receiver_.carriers.leave_lossy_companion(loop_.now()));
    EXPECT_TRUE(receiver_.carriers.accompanied());
    streams.second.lossy = true;
    EXPECT_TRUE(receiver_.carriers.leave_lossy_companion(loop_.now()));
    EXPECT_FALSE(receiver_.carriers.accompanied());
    EXPECT_FALSE(receiver_.carriers.leave_lossy_companion(loop_.now()));
}

TEST_F(CarrierSetTest, TcpCarriesBesideThePairOfASite) {
    const auto pairs = connect(CarrierKind::DirectUdp);
    const auto streams = connect(CarrierKind::DirectTcp);
    pairs.second.beyond_router = true;
    pairs.second.become(CarrierState::Found);
    streams.second.become(CarrierState::Found);
    receiver_.carriers.settle(true);
    EXPECT_TRUE(streams.second.accompanies);
}

TEST_F(CarrierSetTest, TcpThatWasChosenAloneCarriesAlone) {
    const auto pairs = connect(CarrierKind::DirectUdp);
    const auto streams = connect(CarrierKind::DirectTcp);
    streams.second.become(CarrierState::Found);
    ASSERT_TRUE(run_until([&] { return receiver_.ready == 1; })) << "when its patience is over";
    pairs.second.become(CarrierState::Found);
    receiver_.carriers.settle(true);
    EXPECT_FALSE(streams.second.accompanies);
    EXPECT_FALSE(receiver_.carriers.leave_companion());
    EXPECT_TRUE(receiver_.carriers.route().tcp);
}

TEST_F(CarrierSetTest, ARelayedPairGivesWayToADirectOne) {
    const auto pairs = connect(CarrierKind::Relay);
    pairs.second.become(CarrierState::Found);
    EXPECT_EQ(receiver_.ready, 0);
    pairs.second.become(CarrierKind::DirectUdp);
    EXPECT_EQ(receiver_.ready, 1);
}

TEST_F(CarrierSetTest, FailsOnceWhenNothingIsLeft) {
    const auto pairs = connect(CarrierKind::DirectUdp);
    const auto relays = connect(CarrierKind::ServerRelay);
    EXPECT_TRUE(receiver_.carriers.has_reserve());
    pairs.second.become(CarrierState::Over);
    relays.second.become(CarrierState::Over);
    pairs.second.become(CarrierState::Over);
    EXPECT_EQ(receiver_.failed, 1);
    EXPECT_FALSE(receiver_.carriers.has_reserve());
}

TEST_F(CarrierSetTest, SaysThatTheRelayInUseCarriesNoMore) {
    connect(CarrierKind::DirectUdp);
    const auto relays = connect(CarrierKind::ServerRelay);
    relays.second.become(CarrierState::Found);
    ASSERT_EQ(receiver_.ready, 1);
    receiver_.carriers.settle(true);
    relays.second.why = Error{ErrorCode::RelayQuota, 0, "full"};
    relays.second.become(CarrierState::Over);
    EXPECT_EQ(receiver_.failed, 1);
    EXPECT_EQ(receiver_.carriers.failure()->code, ErrorCode::RelayQuota);
}

} // namespace
} // namespace thru

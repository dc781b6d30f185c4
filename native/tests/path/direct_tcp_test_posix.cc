// TCP connections between two sides, and strangers at the port, on this computer.
#include "path/direct_tcp.h"

#include <memory>
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

#include "base/byte_reader.h"
#include "support/run_until.h"
#include "support/turn_messages.h"

namespace thru::test {
namespace {

const IceCredentials kCallersOwn{.ufrag = "00000001",
                                 .pwd = SecretText("00112233445566778899aabbccddeeff")};
const IceCredentials kCalledOnesOwn{.ufrag = "00000002",
                                    .pwd = SecretText("ffeeddccbbaa99887766554433221100")};
/// Credentials of connections to the sender, and to the receiver.
const CheckCredentials kToSender{.own = kCalledOnesOwn, .peer = kCallersOwn};
const CheckCredentials kToReceiver{.own = kCallersOwn, .peer = kCalledOnesOwn};
constexpr auto kHost = "0.0.0.0";

/// All connections of these tests stay on this computer.
bool may_be_called_in_a_test(const std::string &, std::uint16_t) { return true; }

class Side final : public CarrierListener {
public:
    Side(EventLoop &loop, DirectTcp::Settings settings)
        : tcp(loop, *this, with_candidates(std::move(settings))) {
        tcp.listen({kHost});
    }

    bool found() const { return tcp.state() == CarrierState::Found && tcp.chosen() == nullptr; }
    bool calls() const { return tcp.state() == CarrierState::Searching; }
    DatagramPath::Sent send(const Bytes &bytes, std::size_t segment) {
        return tcp.send(bytes, segment, {});
    }

    std::vector<Bytes> datagrams;
    std::vector<std::string> candidates;
    int found_times = 0;
    int failed_times = 0;
    int writable = 0;
    DirectTcp tcp;

private:
    DirectTcp::Settings with_candidates(DirectTcp::Settings settings) {
        settings.announce = [this](std::string_view line) { candidates.emplace_back(line); };
        return settings;
    }
    void on_carrier_changed(Carrier &carrier) override {
        ++(carrier.state() == CarrierState::Found ? found_times : failed_times);
    }
    void on_carrier_datagrams(Carrier &, ByteView bytes, std::size_t, const Address &) override {
        datagrams.emplace_back(bytes.begin(), bytes.end());
    }
    void on_carrier_writable(Carrier &) override { ++writable; }
};

Bytes datagram(std::size_t size) {
    Bytes bytes(size, kQuicByte);
    for (std::size_t at = 1; at < size; ++at) {
        bytes[at] = static_cast<std::uint8_t>(at * 7);
    }
    return bytes;
}

class DirectTcpTest : public testing::Test {
protected:
    DirectTcpTest() { loop_.prepare_thread(); }

    template <class Condition> bool run_until(Condition done) {
        return test::run_until(loop_, done);
    }
    void set_credentials() {
        sender_.tcp.set_credentials({.own = kCallersOwn, .peer = kCalledOnesOwn});
        receiver_.tcp.set_credentials({.own = kCalledOnesOwn, .peer = kCallersOwn});
    }
    /// Lets the receiver connect to the sender and choose the connection.
    void connect() {
        set_credentials();
        receiver_.tcp.add_remote_candidate(sender_.candidates.at(0));
        ASSERT_TRUE(run_until([&] { return receiver_.found() && sender_.found(); }));
        receiver_.tcp.choose();
    }
    /// Lets the receiver connect to the sender over the loopback network.
    void call_sender() {
        auto line = sender_.candidates.at(0);
        line.replace(line.find(kHost), std::string_view(kHost).size(), "127.0.0.1");
        receiver_.tcp.add_remote_candidate(line);
    }
    static std::unique_ptr<TcpSocket> call(const Side &side) {
        const auto &line = side.candidates.at(0);
        const auto at = line.find(kHost) + std::string_view(kHost).size() + 1;
        return TcpSocket::connect("127.0.0.1",
                                  static_cast<std::uint16_t>(std::stoi(line.substr(at))));
    }
    std::unique_ptr<TcpSocket> stranger() { return connected_to(sender_); }
    std::unique_ptr<TcpSocket> connected_to(const Side &side) {
        auto socket = call(side);
        EXPECT_TRUE(
            run_until([&] { return socket->progress() == TcpSocket::Progress::Connected; }));
        return socket;
    }
    /// Connects to `side` and passes its check with `credentials`.
    std::unique_ptr<TcpSocket> proven_to(const Side &side, const CheckCredentials &credentials,
                                         std::uint8_t number) {
        auto socket = connected_to(side);
        socket->write(framed(stun_check(credentials, {number})));
        Bytes answer(kMaxCheckBytes);
        EXPECT_TRUE(run_until([&] {
            const auto got = socket->read(answer);
            return !got || *got > 0;
        }));
        return socket;
    }
    static Bytes framed(ByteView bytes) {
        Bytes frame;
        append_big_endian(frame, bytes.size(), 2);
        append_bytes(frame, bytes);
        return frame;
    }
    bool is_cut_off(TcpSocket &socket) {
        Bytes into(64);
        return run_until([&] { return !socket.read(into); });
    }

    EventLoop loop_;
    Side sender_{loop_, {.follows = true, .may_be_called = may_be_called_in_a_test}};
    Side receiver_{loop_, {.may_be_called = may_be_called_in_a_test}};
};

TEST_F(DirectTcpTest, IsNamedAsAPassiveCandidateBelowThoseOfUdp) {
    ASSERT_EQ(sender_.candidates.size(), 1U);
    const auto &line = sender_.candidates.front();
    EXPECT_TRUE(is_of_tcp(line)) << line;
    EXPECT_TRUE(line.starts_with("candidate:tcp0 1 TCP 15")) << line;
    EXPECT_TRUE(line.ends_with(" typ host tcptype passive")) << line;
}

TEST_F(DirectTcpTest, CarriesBurstsOfDatagramsBothWays) {
    connect();
    EXPECT_EQ(sender_.tcp.chosen(), nullptr);
    const auto hello = datagram(1200);
    EXPECT_EQ(receiver_.send(hello, hello.size()).bytes, hello.size());
    ASSERT_TRUE(run_until([&] { return sender_.datagrams.size() == 1; }));
    EXPECT_EQ(sender_.datagrams.front(), hello);
    ASSERT_NE(sender_.tcp.chosen(), nullptr);
    EXPECT_FALSE(sender_.tcp.chosen()->remote().empty());

    Bytes burst;
    for (int each = 0; each < 7; ++each) {
        append_bytes(burst, datagram(8952));
    }
    append_bytes(burst, datagram(30));
    EXPECT_EQ(sender_.send(burst, 8952).bytes, burst.size());
    ASSERT_TRUE(run_until([&] { return receiver_.datagrams.size() == 8; }));
    for (int each = 0; each < 7; ++each) {
        EXPECT_EQ(receiver_.datagrams.at(static_cast<std::size_t>(each)), datagram(8952));
    }
    EXPECT_EQ(receiver_.datagrams.back(), datagram(30));
}

TEST_F(DirectTcpTest, TakesABurstAsAWholeOrNotAtAllWhenNobodyReads) {
    connect();
    const auto one = datagram(60'000);
    std::size_t taken = 0;
    while (receiver_.send(one, one.size()).bytes > 0) {
        ASSERT_LT(++taken, 10'000U);
    }
    ASSERT_GT(taken, 0U);
    ASSERT_TRUE(run_until([&] { return sender_.datagrams.size() == taken; }));
    EXPECT_EQ(sender_.datagrams.back(), one);
    EXPECT_EQ(receiver_.send(one, one.size()).bytes, one.size());
}

TEST_F(DirectTcpTest, TheSendersDatagramsChooseNothingForTheReceiver) {
    set_credentials();
    receiver_.tcp.add_remote_candidate(sender_.candidates.at(0));
    ASSERT_TRUE(run_until([&] { return receiver_.found() && sender_.found(); }));
    sender_.tcp.choose();
    const auto hello = datagram(100);
    sender_.send(hello, hello.size());
    ASSERT_TRUE(run_until([&] {
        loop_.run_once(loop_.now());
        return receiver_.found();
    }));
    EXPECT_EQ(receiver_.tcp.chosen(), nullptr);
    EXPECT_TRUE(receiver_.datagrams.empty());
}

TEST_F(DirectTcpTest, EndsWhatWasNotChosen) {
    connect();
    const auto guest = stranger();
    const auto hello = datagram(100);
    receiver_.send(hello, hello.size());
    ASSERT_TRUE(run_until([&] { return sender_.tcp.chosen() != nullptr; }));
    sender_.tcp.settle(true);
    receiver_.tcp.settle(true);
    EXPECT_TRUE(is_cut_off(*guest));
    EXPECT_EQ(receiver_.send(hello, hello.size()).bytes, hello.size());
    EXPECT_TRUE(run_until([&] { return sender_.datagrams.size() == 2; }));
}

TEST_F(DirectTcpTest, TheSenderGoesWhereTheLatestDatagramCameFromUntilSettled) {
    set_credentials();
    const auto first = proven_to(sender_, kToSender, 1);
    const auto second = proven_to(sender_, kToSender, 2);
    const auto hello = framed(datagram(100));
    const DatagramStream *before = nullptr;
    int heard = 0;
    for (const auto *from : {&first, &second, &first}) {
        (*from)->write(hello);
        ++heard;
        ASSERT_TRUE(run_until([&] { return std::cmp_equal(sender_.datagrams.size(), heard); }));
        EXPECT_NE(sender_.tcp.chosen(), before);
        before = sender_.tcp.chosen();
    }
    EXPECT_EQ(sender_.datagrams.size(), 3U);
    sender_.tcp.settle(true);
    EXPECT_TRUE(is_cut_off(*second));
    EXPECT_EQ(sender_.tcp.chosen(), before);
}

TEST_F(DirectTcpTest, EndsAStreamThatRepeatsARequest) {
    set_credentials();
    const auto first = proven_to(sender_, kToSender, 1);
    const auto copy = stranger();
    copy->write(framed(stun_check(kToSender, {1})));
    EXPECT_TRUE(is_cut_off(*copy));
    Bytes into(64);
    EXPECT_TRUE(first->read(into).has_value());
    EXPECT_TRUE(sender_.found());
}

/// An address of this computer from which UDP is sent.
Address udp_from(const char *text) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    EXPECT_EQ(inet_pton(AF_INET, text, &address.sin_addr), 1) << text;
    return Address(reinterpret_cast<const sockaddr &>(address));
}

/// The address of these tests' streams.
const Address kLoopback = udp_from("127.0.0.1");

TEST_F(DirectTcpTest, WhatWasFoundCarriesBesideUdpOfTheSameInterface) {
    set_credentials();
    call_sender();
    ASSERT_TRUE(run_until([&] { return receiver_.found() && sender_.found(); }));
    sender_.tcp.accompany(kLoopback, {});
    receiver_.tcp.accompany(kLoopback, {});
    EXPECT_EQ(sender_.tcp.chosen(), nullptr) << "the receiver chooses";
    ASSERT_NE(receiver_.tcp.chosen(), nullptr);
    const auto hello = datagram(100);
    receiver_.send(hello, hello.size());
    ASSERT_TRUE(run_until([&] { return sender_.tcp.chosen() != nullptr; }));
    EXPECT_EQ(sender_.datagrams.front(), hello);
}

TEST_F(DirectTcpTest, WhatIsFoundSoonAfterCarriesBesideUdp) {
    receiver_.tcp.accompany(kLoopback, {});
    EXPECT_EQ(receiver_.tcp.chosen(), nullptr);
    set_credentials();
    call_sender();
    EXPECT_TRUE(run_until([&] { return receiver_.tcp.chosen() != nullptr; }));
    EXPECT_EQ(receiver_.found_times, 0) << "nobody has to choose any more";
}

TEST_F(DirectTcpTest, NothingOfAnotherInterfaceCarriesBesideUdp) {
    set_credentials();
    call_sender();
    ASSERT_TRUE(run_until([&] { return receiver_.found() && sender_.found(); }));
    // An address of a documentation network, which no interface has.
    receiver_.tcp.accompany(udp_from("192.0.2.1"), kLoopback);
    EXPECT_EQ(receiver_.tcp.chosen(), nullptr);
}

TEST_F(DirectTcpTest, LooksOnlyForAWhileForWhatCarriesBesideUdp) {
    Side hasty(loop_, {.follows = true, .companion_time = 1});
    hasty.tcp.set_credentials({.own = kCallersOwn, .peer = kCalledOnesOwn});
    const auto waiting = connected_to(hasty);
    hasty.tcp.accompany(kLoopback, {});
    EXPECT_TRUE(is_cut_off(*waiting));
    const auto late = call(hasty);
    EXPECT_TRUE(late == nullptr ||
                run_until([&] { return late->progress() == TcpSocket::Progress::Failed; }));
}

class BesideUdp : public DirectTcpTest {
protected:
    void SetUp() override {
        connect();
        const auto hello = datagram(100);
        sender_.tcp.accompany(kLoopback, {});
        receiver_.tcp.accompany(kLoopback, {});
        receiver_.send(hello, hello.size());
        ASSERT_TRUE(run_until([&] { return sender_.tcp.chosen() != nullptr; }));
        ASSERT_NE(receiver_.tcp.chosen(), nullptr);
    }
};

TEST_F(BesideUdp, EndsAtBothSidesWhenOneParts) {
    receiver_.tcp.part();
    EXPECT_EQ(receiver_.tcp.chosen(), nullptr);
    EXPECT_EQ(receiver_.writable, 1) << "what waited may go by UDP";
    ASSERT_TRUE(run_until([&] { return sender_.tcp.chosen() == nullptr; }));
    EXPECT_EQ(sender_.writable, 1);
    EXPECT_EQ(sender_.failed_times + receiver_.failed_times, 0) << "UDP goes on";
}

TEST_F(BesideUdp, IsLeftWhenTheOtherSideGoesByUdpAlone) {
    for (auto *side : {&sender_, &receiver_}) {
        side->tcp.on_pair_datagrams(loop_.now());
        ASSERT_NE(side->tcp.chosen(), nullptr) << "that was sent before";
    }
    for (auto *side : {&sender_, &receiver_}) {
        side->tcp.on_pair_datagrams(loop_.now() + 2 * kSecond);
        EXPECT_EQ(side->tcp.chosen(), nullptr);
    }
}

TEST_F(DirectTcpTest, TheSendersStreamThatEndsIsReplacedUntilSettled) {
    set_credentials();
    auto first = proven_to(sender_, kToSender, 1);
    const auto second = proven_to(sender_, kToSender, 2);
    first->write(framed(datagram(100)));
    ASSERT_TRUE(run_until([&] { return sender_.datagrams.size() == 1; }));
    const auto *chosen = sender_.tcp.chosen();
    first.reset();
    ASSERT_TRUE(run_until([&] { return sender_.tcp.chosen() != chosen; }));
    EXPECT_EQ(sender_.tcp.state(), CarrierState::Found);
    sender_.send(datagram(100), 100);
    Bytes into(256);
    EXPECT_TRUE(run_until([&] { return second->read(into).value_or(0) == 102; }));
}

TEST_F(DirectTcpTest, AChosenStreamThatEndsIsReplacedAndTheLastOneIsAFailure) {
    set_credentials();
    auto first = proven_to(receiver_, kToReceiver, 1);
    auto second = proven_to(receiver_, kToReceiver, 2);
    receiver_.tcp.choose();
    const auto *chosen = receiver_.tcp.chosen();
    ASSERT_NE(chosen, nullptr);
    first.reset();
    ASSERT_TRUE(run_until([&] { return receiver_.tcp.chosen() != chosen; }));
    ASSERT_NE(receiver_.tcp.chosen(), nullptr);
    EXPECT_EQ(receiver_.failed_times, 0);
    const auto hello = datagram(100);
    receiver_.send(hello, hello.size());
    Bytes into(256);
    EXPECT_TRUE(run_until([&] { return second->read(into).value_or(0) == 102; }));
    second.reset();
    ASSERT_TRUE(run_until([&] { return receiver_.failed_times == 1; }));
    EXPECT_EQ(receiver_.tcp.chosen(), nullptr);
}

TEST_F(DirectTcpTest, ClosesItsPortWhenItHasLetInAllThatItMay) {
    set_credentials();
    for (int each = 0; each < 256; ++each) {
        const auto guest = stranger();
        guest->write(Bytes{0xff, 0xff});
        ASSERT_TRUE(is_cut_off(*guest)) << each;
    }
    const auto refused = call(sender_);
    EXPECT_TRUE(refused == nullptr ||
                run_until([&] { return refused->progress() == TcpSocket::Progress::Failed; }));
}

TEST_F(DirectTcpTest, FailsWhenTheOtherSideHasOtherCredentials) {
    sender_.tcp.set_credentials({.own = kCallersOwn, .peer = kCalledOnesOwn});
    receiver_.tcp.set_credentials({.own = kCalledOnesOwn, .peer = kCalledOnesOwn});
    receiver_.tcp.add_remote_candidate(sender_.candidates.at(0));
    EXPECT_TRUE(run_until([&] { return receiver_.failed_times == 1; }));
    EXPECT_FALSE(receiver_.found());
    EXPECT_FALSE(sender_.found());
}

TEST_F(DirectTcpTest, LetsNobodyInBeforeThereAreCredentials) {
    const auto early = stranger();
    EXPECT_TRUE(is_cut_off(*early));
}

TEST_F(DirectTcpTest, EndsAStrangerWhoSaysSomethingElse) {
    set_credentials();
    const std::vector<Bytes> wrong{
        {0xff, 0xff},
        {0x00, 0x00},
        {0x00, 0x04, 'G', 'E', 'T', ' '},
        {'G', 'E', 'T', ' ', '/', ' ', 'H', 'T', 'T', 'P', '/', '1', '.', '1'},
    };
    for (const auto &bytes : wrong) {
        const auto guest = stranger();
        guest->write(bytes);
        EXPECT_TRUE(is_cut_off(*guest));
    }
    EXPECT_FALSE(sender_.found());
    EXPECT_EQ(sender_.failed_times, 0);
}

TEST_F(DirectTcpTest, LetsFewStrangersWait) {
    set_credentials();
    std::vector<std::unique_ptr<TcpSocket>> waiting;
    for (int each = 0; each < 16; ++each) {
        waiting.push_back(stranger());
    }
    const auto refused = stranger();
    EXPECT_TRUE(is_cut_off(*refused));
    Bytes into(64);
    for (const auto &each : waiting) {
        EXPECT_TRUE(each->read(into).has_value());
    }
}

TEST_F(DirectTcpTest, KeepsFewStreamsOfAnOtherSideThatProvesItselfAgainAndAgain) {
    set_credentials();
    constexpr std::uint8_t kMost = 8;
    std::vector<std::unique_ptr<TcpSocket>> proven;
    for (std::uint8_t number = 0; number < kMost; ++number) {
        proven.push_back(proven_to(sender_, kToSender, number));
    }
    EXPECT_EQ(sender_.found_times, kMost);
    const auto further = proven_to(sender_, kToSender, kMost);
    EXPECT_TRUE(is_cut_off(*further));
    EXPECT_EQ(sender_.found_times, kMost);
    Bytes into(64);
    for (const auto &each : proven) {
        EXPECT_TRUE(each->read(into).has_value());
    }
}

TEST_F(DirectTcpTest, CallsNoServiceOfThisComputerAndNobodyTwice) {
    Side careful(loop_, {});
    careful.tcp.set_credentials({.own = kCalledOnesOwn, .peer = kCallersOwn});
    for (const auto *line : {"candidate:1 1 TCP 1 127.0.0.1 5000 typ host tcptype passive",
                             "candidate:1 1 TCP 1 ::1 5000 typ host tcptype passive",
                             "candidate:1 1 TCP 1 fe80::1 5000 typ host tcptype passive",
                             "candidate:1 1 TCP 1 192.0.2.1 9 typ host tcptype active",
                             "candidate:1 1 UDP 1 192.0.2.1 5000 typ host"}) {
        careful.tcp.add_remote_candidate(line);
        EXPECT_FALSE(careful.calls()) << line;
    }
    set_credentials();
    receiver_.tcp.add_remote_candidate(sender_.candidates.at(0));
    receiver_.tcp.add_remote_candidate(sender_.candidates.at(0));
    ASSERT_TRUE(run_until([&] { return receiver_.found_times == 1 && !receiver_.calls(); }));
    EXPECT_EQ(receiver_.found_times, 1);
}

} // namespace
} // namespace thru::test

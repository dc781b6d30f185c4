// A transfer with every possible event, as its seed decides, on a disk that records the correct
// byte ranges of each file.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "transfer/joined.h"

namespace thru::test {

class RandomPair {
public:
    explicit RandomPair(std::uint32_t seed) : random_(seed) {}

    /// Runs until the sender's BYE, then checks the disk and the events.
    void run();

private:
    struct InFlight {
        /// Pieces that count at the receiver.
        SegmentPlan plan;
        /// All pieces of a prefetched segment; otherwise empty.
        SegmentPlan prefetched{};
        bool started = false;
        /// True for each piece whose bytes are dropped.
        std::vector<bool> dropped;
    };

    std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
    bool chance(unsigned percent) { return below(100) < percent; }
    IndexRanges some_entries();

    void grow();
    void read_offer(std::uint64_t end);
    void accept(std::uint64_t end);
    bool start(InFlight &segment);
    void reset(const InFlight &segment, std::uint64_t unreadable);
    Have have_of(std::uint64_t index, bool right);
    void send_segment();
    void start_segment();
    void end_segment();
    void write(const InFlight &segment);
    void spoil(const InFlight &segment);
    void name_file();
    void link_name();
    void handle_events();
    void handle(const ReceiverEvent &event);
    void drop(std::uint64_t index);
    void disturb();
    void step();
    void check_end();

    std::mt19937 random_;
    Joined pair_;
    std::uint64_t accepted_ = 0;
    /// The end of an offer that the receiver's user is reading; 0 otherwise.
    std::uint64_t reading_ = 0;
    std::vector<InFlight> in_flight_;
    std::deque<std::uint64_t> to_name_;
    /// Linked entries, possibly dropped.
    std::deque<std::uint64_t> to_link_;
    /// Published files that the receiver has not been informed of.
    std::deque<std::uint64_t> named_late_;
    std::deque<Have> to_check_;
    std::deque<SenderDataWanted> to_search_;
    /// Correct ranges on the disk. Empty files count as one byte.
    std::map<std::uint64_t, RangeSet> disk_;
    std::set<std::uint64_t> unreadable_;
    std::set<std::uint64_t> right_haves_;
    std::set<std::uint64_t> named_;
    std::set<std::uint64_t> failed_at_sender_;
    std::set<std::uint64_t> failed_at_receiver_;
    bool quiet_ = false;
    bool finished_ = false;
    bool released_ = false;
};

} // namespace thru::test

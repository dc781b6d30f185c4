#include "transfer/joined.h"
#include "transfer/random_pair.h"

namespace thru {
namespace {

TEST(SenderAndReceiver, EndWithEveryByteInItsPlaceWhateverHappens) {
    for (std::uint32_t seed = 1; seed <= 600; ++seed) {
        SCOPED_TRACE(seed);
        test::RandomPair(seed).run();
        ASSERT_FALSE(HasFailure());
    }
}

} // namespace
} // namespace thru

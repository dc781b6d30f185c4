#include "pairing/ice_candidate.h"

#include <string>

#include <gtest/gtest.h>

#include "path/candidate_line.h"
#include "support/vectors.h"

namespace thru {
namespace {

std::string word_for(CandidateCheck check) {
    switch (check) {
    case CandidateCheck::Usable:
        return "taken";
    case CandidateCheck::Named:
        return "named";
    case CandidateCheck::Ignored:
        return "dropped";
    case CandidateCheck::Malformed:
        break;
    }
    return "E_PEER_PROTOCOL";
}

TEST(IceCandidate, AgreesWithTheVectors) { // SIG-14
    for (const auto &vector : test::read_vectors("candidates")) {
        SCOPED_TRACE(vector["name"]);
        const auto line = vector["line"].get<std::string>();
        const auto &expect = vector["expect"];
        const auto *const result = expect.contains("error") ? "error" : "check";
        EXPECT_EQ(word_for(check_candidate(line)), expect[result].get<std::string>());
        if (expect.contains("becomes")) {
            const auto known = with_address(line, vector["address"].get<std::string>());
            EXPECT_EQ(known, expect["becomes"].get<std::string>());
            EXPECT_EQ(check_candidate(known), CandidateCheck::Usable);
        }
    }
}

} // namespace
} // namespace thru

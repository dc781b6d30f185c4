#include "parts/parts.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "parts/part.h"

namespace thru::bench {

namespace {

std::vector<Part> all_parts() {
    return {kQuic,           kFiles,   kHash,          kScan,  kManifestEncode,
            kManifestDecode, kNames,   kPortableNames, kPaths, kJournalAppend,
            kJournalReplay,  kControl, kCandidates,    kStun};
}

void print_runs(const char *name, const std::vector<Took> &runs) {
    std::printf("\"%s\":[", name);
    for (const Took &took : runs) {
        std::printf("%s{\"seconds\":%.9f,\"cpu\":%.9f}", &took == runs.data() ? "" : ",",
                    took.seconds, took.cpu);
    }
    std::printf("]");
}

void print_part(const Part &part, const PartRuns &wanted) {
    const auto amount = static_cast<std::uint64_t>(static_cast<double>(part.amount) * wanted.size);
    const Ready ready = part.prepare(std::max<std::uint64_t>(1, amount));
    std::vector<Took> runs;
    std::vector<Took> limits;
    for (std::uint64_t round = 0; round <= wanted.runs; ++round) {
        const Took run = ready.run();
        const Took limit = ready.limit();
        if (round > 0) {
            runs.push_back(run);
            limits.push_back(limit);
        }
    }
    std::printf(R"({"name":"%s","what":"%s","unit":"%s","limit":"%s","amount":%llu,)", part.name,
                part.what, part.unit, part.limit, static_cast<unsigned long long>(ready.amount));
    print_runs("runs", runs);
    std::printf(",");
    print_runs("limits", limits);
    std::printf("}\n");
    std::fflush(stdout);
}

} // namespace

void demand(bool is_right, const char *what) {
    if (!is_right) {
        std::fprintf(stderr, "%s.\n", what);
        std::_Exit(1);
    }
}

bool print_parts(const PartRuns &wanted) {
    const auto parts = all_parts();
    for (const std::string &name : wanted.names) {
        const auto is_named = [&](const Part &part) { return part.name == name; };
        if (std::ranges::none_of(parts, is_named)) {
            std::fprintf(stderr, "There is no part \"%s\". The parts are", name.c_str());
            for (const char *before = " "; const Part &part : parts) {
                std::fprintf(stderr, "%s%s", before, part.name);
                before = ", ";
            }
            std::fprintf(stderr, ".\n");
            return false;
        }
    }
    for (const Part &part : parts) {
        if (wanted.names.empty() || std::ranges::count(wanted.names, part.name) > 0) {
            print_part(part, wanted);
        }
    }
    return true;
}

} // namespace thru::bench

// A part of the engine that is measured by itself, and beside it the least that this machine has to
// do for the same.
#pragma once

#include <cstdint>
#include <functional>

#include "base/clock.h"
#include "cpu_time.h"

namespace thru::bench {

/// What one run took, in seconds; CPU of all threads.
struct Took {
    double seconds = 0;
    double cpu = 0;
};

template <class Work> Took timed(Work work) {
    const double cpu = process_cpu_seconds();
    const Timestamp begun = monotonic_now();
    work();
    return {.seconds = static_cast<double>(monotonic_now() - begun) * 1e-9,
            .cpu = process_cpu_seconds() - cpu};
}

/// Ends the program with a sentence unless what was measured did what it should.
void demand(bool is_right, const char *what);

/// As if somebody read what lies there: no compiler leaves out the work that made it.
inline void use(const void *bytes) { asm volatile("" : : "r"(bytes) : "memory"); }

/// A part with all that its runs need.
struct Ready {
    /// What each run does, counted in Part::unit.
    std::uint64_t amount = 0;
    std::function<Took()> run;
    std::function<Took()> limit;
};

struct Part {
    const char *name = "";
    const char *what = "";
    /// "B" for bytes; else what is counted, in the plural.
    const char *unit = "";
    /// What the limit is.
    const char *limit = "";
    /// What a run does usually.
    std::uint64_t amount = 0;
    /// For runs of about that much, at least one.
    Ready (*prepare)(std::uint64_t amount) = nullptr;
};

extern const Part kQuic;
extern const Part kFiles;
extern const Part kHash;
extern const Part kScan;
extern const Part kManifestEncode;
extern const Part kManifestDecode;
extern const Part kNames;
extern const Part kPortableNames;
extern const Part kPaths;
extern const Part kJournalAppend;
extern const Part kJournalReplay;
extern const Part kControl;
extern const Part kCandidates;
extern const Part kStun;

} // namespace thru::bench

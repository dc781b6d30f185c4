// A part of the engine that is measured alone, and the least work that this machine needs for it.
#pragma once

#include <cstdint>
#include <functional>

#include "base/clock.h"
#include "cpu_time.h"

namespace thru::bench {

/// Time of one run in seconds, and CPU seconds of all threads.
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

/// Ends the program with this sentence unless the measured code worked.
void demand(bool is_right, const char *what);

/// Counts as a read of this data, so that the compiler can't omit the work that produced it.
inline void use(const void *bytes) { asm volatile("" : : "r"(bytes) : "memory"); }

/// A part, prepared for its runs.
struct Ready {
    /// The work of each run, counted in Part::unit.
    std::uint64_t amount = 0;
    std::function<Took()> run;
    std::function<Took()> limit;
};

struct Part {
    const char *name = "";
    const char *what = "";
    /// "B" for bytes, otherwise a plural noun.
    const char *unit = "";
    /// A description of the baseline.
    const char *limit = "";
    /// The usual amount of a run.
    std::uint64_t amount = 0;
    /// Prepares runs of about this amount, at least one unit.
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

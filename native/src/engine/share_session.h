// One share: a scan that becomes a manifest, and any number of receivers. Network thread only.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "crypto/identity.h"
#include "engine/commands.h"
#include "engine/context.h"
#include "io/segment_reader.h"
#include "io/tree_scan.h"
#include "pairing/join_code.h"
#include "transfer/manifest_table.h"

namespace thru {

/// Receivers of one share at the same time.
inline constexpr std::size_t kMaxReceivers = 10;
/// Wrong words after which a share takes no new receivers. Interim: the words are 31 bits, and each
/// guess costs one exchange through the server.
inline constexpr std::size_t kMaxWrongGuesses = 50;
/// Problems told for one session; the count goes on.
inline constexpr std::size_t kMaxProblemsTold = 1000;

class ShareSession {
public:
    /// Starts the scan. Internal when no identity can be made.
    static Result<std::unique_ptr<ShareSession>> open(EngineContext &context, OpenShare command);
    ~ShareSession();

    void set_code(JoinCode code) { code_ = std::move(code); }
    void add_peer(const std::string &peer, Timestamp now);
    void drop_peer(const std::string &peer, Timestamp now);
    void on_signal(const std::string &peer, std::string_view payload);
    void service(Timestamp now);
    Timestamp deadline() const;
    /// Ends every receiver's link; the share is over.
    void end(const Error &error, Timestamp now);

private:
    class Receiving;

    ShareSession(EngineContext &context, OpenShare command, Identity identity);
    void scan_step();
    void on_scanned(ScanBatch batch);
    void on_scan_complete();

    EngineContext &context_;
    OpenShare options_;
    std::shared_ptr<const Identity> identity_;
    std::optional<JoinCode> code_;
    std::shared_ptr<TreeScan> scan_;
    std::shared_ptr<DiskPool::Strand> scan_strand_;
    std::shared_ptr<ManifestTable> manifest_;
    /// First entry of each root, rising; entries of a root follow each other.
    std::vector<std::size_t> root_starts_;
    std::vector<std::uint32_t> roots_;
    std::shared_ptr<const SourceFiles> files_;
    std::size_t problems_ = 0;
    std::size_t wrong_guesses_ = 0;
    std::map<std::string, std::unique_ptr<Receiving>> receivers_;
    std::shared_ptr<bool> alive_;
};

} // namespace thru

// Measurements of earlier connections, by the networks at both ends of their path, for later ones
// (Careful Resume, RFC 9959). Network thread only.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "crypto/secret_key.h"
#include "link/link_events.h"
#include "quic/connection.h"

namespace thru {

class SavedPaths {
public:
    /// Number of kept paths; the oldest make room.
    static constexpr std::size_t kMax = 64;
    /// The RFC suggests hours for stable paths and minutes for others. An hour covers a series of
    /// transfers, and is shorter than the daily changes of a network's load.
    static constexpr Timestamp kLifetime = 3600 * kSecond;

    struct Entry {
        /// Made by `name_of`: a name of the networks that reveals no address.
        std::string network;
        SavedPath path;
        Timestamp until = 0;
    };

    explicit SavedPaths(const LinkEventReport &report) : report_(report) {}

    /// Nothing is saved or used before this. The installation's own secret keeps names secret.
    void set_secret(const SecretKey &installation) { secret_ = installation; }
    /// Replaces all entries, at most kMax, newest first. Their `until` counts from `now`. Entries
    /// that connections have taken are not affected.
    void set(std::vector<Entry> entries, Timestamp now);

    /// Removes and returns the entry of Route::networks, if it is still valid. Only one connection
    /// at a time may use it (RFC 9959 section 4.2).
    std::optional<Entry> take(std::string_view networks, Timestamp now);
    /// Stores and reports a new measurement of these networks.
    void save(std::string_view networks, const SavedPath &path, Timestamp now);
    /// Stores an entry again that turned out neither wrong nor outdated.
    void restore(Entry entry);
    /// Reports that a taken entry was wrong.
    void drop(const Entry &entry) { report_(PathSavedEvent{.network = entry.network}); }

private:
    /// Empty without networks or secret.
    std::string name_of(std::string_view networks) const;

    const LinkEventReport &report_;
    std::optional<SecretKey> secret_;
    /// Newest first; each network occurs once.
    std::vector<Entry> entries_;
};

/// The use of SavedPaths by one connection.
class PathResumption {
public:
    explicit PathResumption(SavedPaths &saved) : saved_(saved) {}

    /// The connection is established, or has just moved, on a path between these networks. It must
    /// live until `end`.
    void begin(Connection &connection, std::string networks, Timestamp now);
    /// Saves what the connection measured. Has no effect before `begin` and after `end`.
    void end(Timestamp now);

private:
    SavedPaths &saved_;
    Connection *connection_ = nullptr;
    std::string networks_;
    std::optional<SavedPaths::Entry> taken_;
};

} // namespace thru

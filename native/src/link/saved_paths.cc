#include "link/saved_paths.h"

#include <algorithm>
#include <utility>

#include "crypto/base64url.h"
#include "crypto/digest.h"

namespace thru {

namespace {

constexpr std::string_view kNetworkContext = "thru1 networks of a path ";
/// Bytes of a name: enough that two networks don't share one by chance.
constexpr std::size_t kNameBytes = 16;

} // namespace

std::string SavedPaths::name_of(std::string_view networks) const {
    if (networks.empty() || !secret_) {
        return {};
    }
    const auto digest =
        hmac_sha256(secret_->view(), as_bytes(std::string(kNetworkContext).append(networks)));
    return to_base64url(ByteView(digest).first(kNameBytes));
}

void SavedPaths::set(std::vector<Entry> entries, Timestamp now) {
    entries_ = std::move(entries);
    for (auto &each : entries_) {
        each.until += now;
    }
}

std::optional<SavedPaths::Entry> SavedPaths::take(std::string_view networks, Timestamp now) {
    std::erase_if(entries_, [&](const Entry &each) { return each.until <= now; });
    const auto found = std::ranges::find(entries_, name_of(networks), &Entry::network);
    if (found == entries_.end()) {
        return std::nullopt;
    }
    auto entry = std::move(*found);
    entries_.erase(found);
    return entry;
}

void SavedPaths::save(std::string_view networks, const SavedPath &path, Timestamp now) {
    auto name = name_of(networks);
    if (name.empty()) {
        return;
    }
    report_(PathSavedEvent{.network = name,
                           .window = path.window,
                           .round_trip = path.round_trip,
                           .lifetime = kLifetime});
    restore({.network = std::move(name), .path = path, .until = now + kLifetime});
}

void SavedPaths::restore(Entry entry) {
    std::erase_if(entries_, [&](const Entry &each) { return each.network == entry.network; });
    entries_.insert(entries_.begin(), std::move(entry));
    if (entries_.size() > kMax) {
        entries_.pop_back();
    }
}

void PathResumption::begin(Connection &connection, std::string networks, Timestamp now) {
    end(now);
    connection_ = &connection;
    networks_ = std::move(networks);
    taken_ = saved_.take(networks_, now);
    if (taken_) {
        connection.use_saved_path(taken_->path);
    }
}

void PathResumption::end(Timestamp now) {
    const auto *connection = std::exchange(connection_, nullptr);
    if (connection == nullptr) {
        return;
    }
    const bool retreated = connection->statistics(now).careful_resume == CarefulResume::Retreated;
    const auto taken = std::exchange(taken_, {});
    if (const auto measured = connection->measured_path()) {
        saved_.save(networks_, *measured, now);
    } else if (taken && retreated) {
        saved_.drop(*taken);
    } else if (taken) {
        saved_.restore(*taken);
    }
}

} // namespace thru

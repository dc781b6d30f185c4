// Events of the engine; the C++ form of EngineEvent in native/index.d.ts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "engine/admission_record.h"
#include "engine/commands.h"
#include "engine/contact_exchange.h"
#include "engine/file_changes.h"
#include "engine/file_listing.h"
#include "engine/offer_listing.h"
#include "link/qlog_file.h"
#include "path/route.h"
#include "quic/connection.h"
#include "source/tree_scan.h"
#include "target/deletion/deletion_report.h"
#include "target/preflight.h"
#include "target/shortage.h"
#include "transfer/manifest_table.h"
#include "transfer/receiver_events.h"
#include "wire/control.h"

namespace thru {

struct ScanEvent {
    SessionNumber session = 0;
    std::uint64_t files = 0;
    std::uint64_t folders = 0;
    std::uint64_t bytes = 0;
    bool complete = false;
    /// Entries excluded at the sender's request, not counting their contents; 0 at the receiver.
    std::uint64_t excluded = 0;
    /// Entries that can't be offered; 0 at the receiver. A lower bound if the share is out of room.
    std::uint64_t left_out = 0;
};
struct OfferItem {
    /// The sender's number of the item; 0 at the receiver.
    std::uint32_t id = 0;
    ManifestTable::TopItem top;
};
struct ScanItemsEvent {
    SessionNumber session = 0;
    std::vector<OfferItem> items;
    /// ScanItem::resolved of each item; empty for texts and streams.
    std::vector<std::string> resolved;
    /// Number of followed links that lead out of their items, and the first of them.
    std::uint64_t followed = 0;
    std::vector<FollowedLink> links;
};
struct ItemProblemEvent {
    SessionNumber session = 0;
    std::string peer;
    std::string path;
    Error error;
};
struct SignalEvent {
    SessionNumber session = 0;
    std::string peer;
    std::string payload;
};
struct PairingDoneEvent {
    SessionNumber session = 0;
    std::string peer;
    /// Six digits.
    std::string safety;
    /// The contact's id, or empty.
    std::string contact;
    /// Share: no approval is needed.
    bool approved = true;
};
/// Share: the receiver waits for ApprovePeer. Receive: the sender's user must approve it.
struct ApprovalRequestedEvent {
    SessionNumber session = 0;
    std::string peer;
};
/// Share: a waiting receiver was approved.
struct ApprovedEvent {
    SessionNumber session = 0;
    std::string peer;
};
/// Wrong guesses at a share's code.
struct GuessesEvent {
    SessionNumber session = 0;
    std::size_t wrong = 0;
    /// The code admits no one.
    bool locked = false;
    /// A new code would not help.
    bool spent = false;
    bool operator==(const GuessesEvent &) const = default;
};
/// Many strangers request admission and may delay others; sent whenever that changes.
struct UnauthenticatedLoadEvent {
    SessionNumber session = 0;
    bool high = false;
};
/// State that a share needs to survive a restart; sent whenever it changes. Secret.
struct AdmissionEvent {
    SessionNumber session = 0;
    AdmissionRecord record;
    /// Rises with each change.
    std::uint64_t revision = 0;
};
struct ResumeKeyEvent {
    SessionNumber session = 0;
    std::string peer;
    SecretKey key;
};
struct ContactRequestedEvent {
    SessionNumber session = 0;
    std::string peer;
};
struct ContactAddedEvent {
    SessionNumber session = 0;
    std::string peer;
    NewContact contact;
};
struct ConnectedEvent {
    SessionNumber session = 0;
    std::string peer;
    Route route;
};
/// The connection continues over another path.
struct RouteChangedEvent {
    SessionNumber session = 0;
    std::string peer;
    Route route;
};
struct GreetedEvent {
    SessionNumber session = 0;
    std::string peer;
    std::string name;
    WireId id{};
    /// The other side is a web page.
    bool browser = false;
};
struct OfferEvent {
    SessionNumber session = 0;
    std::string peer;
    std::vector<OfferItem> items;
    std::uint64_t files = 0;
    std::uint64_t folders = 0;
    std::uint64_t bytes = 0;
    /// See ManifestTable::Summary.
    bool dot_names = false;
    /// The sender reports changes of its share.
    bool followable = false;
    LeftOut left_out;
};
struct ListingEvent {
    SessionNumber session = 0;
    std::string path;
    std::string query;
    std::uint64_t offset = 0;
    OfferListing listing;
};
/// The answer to ListFiles.
struct FilesEvent {
    SessionNumber session = 0;
    std::string peer;
    std::uint32_t request = 0;
    /// Nothing was listed: there are no files yet, or the previous page is still being made.
    std::optional<Error> error;
    FilePage page;
};
struct FilesChangedEvent {
    SessionNumber session = 0;
    std::string peer;
    FileChanges changes;
};
struct PreflightEvent {
    SessionNumber session = 0;
    std::string directory;
    std::optional<Error> error;
    PreflightResult result;
    /// The offered files of result.listed_conflicts, in its order.
    struct Offered {
        std::string path;
        std::uint64_t bytes = 0;
        std::int64_t mtime_ns = 0;
    };
    std::vector<Offered> conflicts;
    /// Paths of result.too_large.
    std::vector<std::string> too_large;
};
struct AcceptedEvent {
    SessionNumber session = 0;
    std::string peer;
    std::uint64_t resumed_bytes = 0;
    ConflictSummary conflicts;
    /// Their number, and the first of them.
    std::uint64_t mapped_names = 0;
    std::vector<MappedName> listed_names;
};
/// Entries added after accepting were renamed for the receiver's system.
struct NamesMappedEvent {
    SessionNumber session = 0;
    std::string peer;
    /// Count in this transfer so far.
    std::uint64_t mapped_names = 0;
    /// Listed names that were not reported before.
    std::vector<MappedName> listed_names;
};
/// Outcome for entries that the sender no longer has; before FinishedEvent.
struct DeletionsEvent {
    SessionNumber session = 0;
    std::string peer;
    DeletionReport report;
};
struct ProgressEvent {
    SessionNumber session = 0;
    std::string peer;
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
    std::uint64_t total_files = 0;
    std::uint64_t total_bytes = 0;
    std::uint64_t transferred = 0;
    /// Offered files, and the unwanted ones among them.
    std::uint64_t offered_files = 0;
    std::uint64_t unwanted_files = 0;
    /// Bytes taken from other versions of the files; 0 at the sender.
    std::uint64_t reused_bytes = 0;
};
/// Figures of the connection; only the latest matters.
struct StatisticsEvent {
    SessionNumber session = 0;
    std::string peer;
    Connection::Statistics statistics;
    /// Bytes a second delivered since the previous measurement.
    std::uint64_t delivery_rate = 0;
    /// Bytes that compression has kept off the network.
    std::uint64_t compression_saved = 0;
    /// nullopt without a qlog.
    std::optional<QlogFile::Status> qlog;
};
struct FlowState {
    enum class Kind : std::uint8_t {
        Flowing,
        Paused,
        PausedByPeer,
        DiskFull,
        PeerDiskFull,
        Finishing,
    };
    Kind kind = Kind::Flowing;
    /// Bytes that must become free when the disk is full.
    std::uint64_t need = 0;
    /// The exhausted resource of this side's disk.
    Shortage::Kind full = Shortage::Kind::Space;
    bool operator==(const FlowState &) const = default;
};
struct FlowEvent {
    SessionNumber session = 0;
    std::string peer;
    FlowState state;
};
/// The reason why no data moves. Relay: nothing more arrives through the relay.
enum class StallReason : std::uint8_t { None, Network, Relay, PeerDisk, OwnDisk, Source, Limit };
struct StalledEvent {
    SessionNumber session = 0;
    std::string peer;
    StallReason reason = StallReason::None;
};
/// This computer's addresses changed. Belongs to no session.
struct NetworkChangedEvent {
    SessionNumber session = 0;
};
/// Receiver: the sender stopped answering, or answers again.
struct SilenceEvent {
    SessionNumber session = 0;
    std::string peer;
    bool silent = false;
};
struct TextEvent {
    SessionNumber session = 0;
    std::string peer;
    std::string name;
    std::string text;
};
struct FinishedEvent {
    SessionNumber session = 0;
    std::string peer;
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
    std::uint64_t problems = 0;
    std::uint64_t renamed = 0;
    std::uint64_t transferred = 0;
    /// See Done.
    std::uint64_t identical = 0;
    std::uint64_t identical_bytes = 0;
    std::uint64_t uncompared = 0;
    /// See ProgressEvent.
    std::uint64_t offered_files = 0;
    std::uint64_t unwanted_files = 0;
    /// See ProgressEvent.
    std::uint64_t reused_bytes = 0;
    /// Received data was read back from the disk; false at the sender.
    bool read_back = false;
    /// The receiver follows the share, and waits for changes.
    bool in_step = false;
};
/// Contains the receiver's figures; the caller adds the rest.
inline FinishedEvent finished_event(SessionNumber session, std::string peer, const Done &done) {
    return {.session = session,
            .peer = std::move(peer),
            .files = done.files,
            .bytes = done.bytes,
            .problems = done.problems,
            .renamed = done.renamed,
            .identical = done.identical,
            .identical_bytes = done.identical_bytes,
            .uncompared = done.uncompared};
}
struct PartialDeletedEvent {
    SessionNumber session = 0;
    std::optional<Error> error;
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
};
struct FailedEvent {
    SessionNumber session = 0;
    std::string peer;
    Error error;
};

using Event =
    std::variant<ScanEvent, ScanItemsEvent, ItemProblemEvent, SignalEvent, PairingDoneEvent,
                 ConnectedEvent, GreetedEvent, OfferEvent, ListingEvent, PreflightEvent,
                 AcceptedEvent, NamesMappedEvent, DeletionsEvent, ProgressEvent, FlowEvent,
                 StalledEvent, TextEvent, FinishedEvent, FailedEvent, PartialDeletedEvent,
                 GuessesEvent, UnauthenticatedLoadEvent, ResumeKeyEvent, ContactRequestedEvent,
                 ContactAddedEvent, FilesEvent, AdmissionEvent, ApprovalRequestedEvent,
                 ApprovedEvent, FilesChangedEvent, StatisticsEvent, SilenceEvent,
                 NetworkChangedEvent, RouteChangedEvent, PortOpenedEvent, PortClosedEvent,
                 NameAskedEvent, NameDroppedEvent, PathSavedEvent>;

} // namespace thru

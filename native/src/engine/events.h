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
#include "path/candidate_line.h"
#include "path/route.h"
#include "quic/connection.h"
#include "target/preflight.h"
#include "target/shortage.h"
#include "transfer/manifest_table.h"
#include "wire/control.h"

namespace thru {

struct ScanEvent {
    SessionNumber session = 0;
    std::uint64_t files = 0;
    std::uint64_t folders = 0;
    std::uint64_t bytes = 0;
    bool complete = false;
    /// Entries that the sender leaves out as wished, without what is in them; 0 at the receiver.
    std::uint64_t excluded = 0;
    /// Entries that can't be offered; 0 at the receiver. Those that the share has no room for are
    /// so many or more.
    std::uint64_t left_out = 0;
};
/// What stands at the top of a share.
struct OfferItem {
    /// The sender's number of it; 0 at the receiver.
    std::uint32_t id = 0;
    ManifestTable::TopItem top;
};
struct ScanItemsEvent {
    SessionNumber session = 0;
    std::vector<OfferItem> items;
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
    /// Its id, or empty.
    std::string contact;
    /// Share: it needs nobody's approval.
    bool approved = true;
};
/// Share: it waits for ApprovePeer. Receive: the sender's person is asked whether to let it in.
struct ApprovalWantedEvent {
    SessionNumber session = 0;
    std::string peer;
};
/// Share: it was let in after it had waited.
struct ApprovedEvent {
    SessionNumber session = 0;
    std::string peer;
};
/// Wrong guesses at a share's code.
struct GuessesEvent {
    SessionNumber session = 0;
    std::size_t wrong = 0;
    /// The code admits nobody.
    bool locked = false;
    /// Another code would not help.
    bool spent = false;
    bool operator==(const GuessesEvent &) const = default;
};
/// Whether so many strangers ask for admission that others may have to wait; sent whenever it
/// changes.
struct StrangersEvent {
    SessionNumber session = 0;
    bool many = false;
};
/// What a share has to remember so that it survives a restart; whenever it changes. Secret.
struct AdmissionEvent {
    SessionNumber session = 0;
    AdmissionRecord record;
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
/// The connection goes on by another path.
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
    /// Nothing was listed: there are no files yet, or the page before is still being made.
    std::optional<Error> error;
    FilePage page;
};
/// What became of files of a transfer that is watched.
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
    /// Paths and sizes of result.listed_conflicts, in its order.
    struct Offered {
        std::string path;
        std::uint64_t bytes = 0;
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
    /// How many, and the first of them.
    std::uint64_t mapped_names = 0;
    std::vector<MappedName> listed_names;
};
/// Entries that were added after accepting have names that the receiver's system can't hold.
struct NamesMappedEvent {
    SessionNumber session = 0;
    std::string peer;
    /// Count in this transfer so far.
    std::uint64_t mapped_names = 0;
    /// Those not yet reported, as far as they are listed.
    std::vector<MappedName> listed_names;
};
struct ProgressEvent {
    SessionNumber session = 0;
    std::string peer;
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
    std::uint64_t total_files = 0;
    std::uint64_t total_bytes = 0;
    std::uint64_t transferred = 0;
    /// Files of the offer, and how many of them the receiver doesn't want.
    std::uint64_t offered_files = 0;
    std::uint64_t unwanted_files = 0;
};
/// How the connection gets on; the latest wins.
struct StatisticsEvent {
    SessionNumber session = 0;
    std::string peer;
    Connection::Statistics statistics;
    /// Bytes of packets that got through in a second, since the measurement before.
    std::uint64_t delivery_rate = 0;
    /// nullopt when nothing is logged.
    std::optional<QlogFile::Status> qlog;
};
/// Why data does or doesn't flow.
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
    /// Bytes that have to become free, with a full disk.
    std::uint64_t need = 0;
    /// What is exhausted on this side's disk.
    Shortage::Kind full = Shortage::Kind::Space;
    bool operator==(const FlowState &) const = default;
};
struct FlowEvent {
    SessionNumber session = 0;
    std::string peer;
    FlowState state;
};
/// The reason why nothing moves. Relay: nothing from the other side arrives through the relay any
/// more.
enum class StallReason : std::uint8_t { None, Network, Relay, PeerDisk, OwnDisk, Source, Limit };
struct StalledEvent {
    SessionNumber session = 0;
    std::string peer;
    StallReason reason = StallReason::None;
};
/// This computer has other addresses than before. Of no session.
struct NetworkChangedEvent {
    SessionNumber session = 0;
};
/// Receiver: the sender answers nothing at present, or answers again.
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
    /// As in Done.
    std::uint64_t identical = 0;
    std::uint64_t identical_bytes = 0;
    std::uint64_t uncompared = 0;
    /// As in ProgressEvent.
    std::uint64_t offered_files = 0;
    std::uint64_t unwanted_files = 0;
    /// Received data was read back from the disk; false at the sender.
    bool read_back = false;
};
/// Has the receiver's figures; the caller adds the others.
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
struct ForgottenEvent {
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
                 AcceptedEvent, NamesMappedEvent, ProgressEvent, FlowEvent, StalledEvent, TextEvent,
                 FinishedEvent, FailedEvent, ForgottenEvent, GuessesEvent, StrangersEvent,
                 ResumeKeyEvent, ContactRequestedEvent, ContactAddedEvent, FilesEvent,
                 AdmissionEvent, ApprovalWantedEvent, ApprovedEvent, FilesChangedEvent,
                 StatisticsEvent, SilenceEvent, NetworkChangedEvent, RouteChangedEvent,
                 PortOpenedEvent, PortClosedEvent, NameAskedEvent, NameDroppedEvent>;

} // namespace thru

// Commands from JavaScript to the engine; the C++ form of EngineCommand in native/commands.d.ts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/admission_record.h"
#include "link/link_events.h"
#include "link/saved_paths.h"
#include "link/transport.h"
#include "pairing/contact.h"
#include "pairing/pairing_secret.h"
#include "path/candidate_line.h"
#include "path/ice_servers.h"
#include "source/tree_scan.h"
#include "transfer/receive_options.h"
#include "wire/control.h"

namespace thru {

/// Default and maximum number of a share's simultaneous receivers.
inline constexpr std::size_t kDefaultReceivers = 10;
inline constexpr std::size_t kMaxReceivers = 1000;
/// Maximum number of entries in one Listing.
inline constexpr std::uint64_t kMaxListed = 1000;

struct OpenShare {
    SessionNumber session = 0;
    std::vector<ScanItem> items;
    std::vector<std::string> exclude;
    bool links = true;
    /// See ScanOptions.
    bool follow_links = false;
    bool ignore_files = false;
    bool attributes = false;
    std::size_t max_receivers = kDefaultReceivers;
    /// Admits only the first receiver, until SetMaxReceivers arrives.
    bool one_receiver = false;
    /// The user approves each receiver first.
    bool approval = false;
    /// Web pages may receive.
    bool browsers = true;
    std::string name;
    /// The secret that origin_key derives from.
    SecretKey installation;
    IceServers ice;
    /// FilesChangedEvent reports each file of each receiver.
    bool watch_files = false;
    /// State of an earlier program with the same share.
    std::optional<AdmissionRecord> restored;
    /// ConfirmAdmission answers each AdmissionEvent. No receiver learns that it has a key before
    /// the key is stored.
    bool stores_admission = false;
};
/// The record of an AdmissionEvent is stored, or can't be.
struct ConfirmAdmission {
    SessionNumber session = 0;
    /// AdmissionEvent::revision.
    std::uint64_t revision = 0;
};
struct AddItems {
    SessionNumber session = 0;
    std::vector<ScanItem> items;
};
struct RemoveItem {
    SessionNumber session = 0;
    std::uint32_t item = 0;
};
/// Allows receivers to follow the share.
struct SetFollowable {
    SessionNumber session = 0;
    bool followable = false;
};
/// The items may have changed: scans them again.
struct Rescan {
    SessionNumber session = 0;
};
/// The end of a stream's producer, if the stream waits for it.
struct EndStream {
    SessionNumber session = 0;
    bool complete = false;
};
struct SetMaxReceivers {
    SessionNumber session = 0;
    std::size_t count = 0;
};
struct SetCode {
    SessionNumber session = 0;
    std::string code;
};
/// The user wants another code; SetCode follows.
struct RevokeCode {
    SessionNumber session = 0;
};
struct AddPeer {
    SessionNumber session = 0;
    std::string peer;
};
struct DisconnectPeer {
    SessionNumber session = 0;
    std::string peer;
    /// The user did not disconnect the receiver: it keeps its resume key.
    bool may_resume = false;
};
/// The answer to ApprovalRequestedEvent.
struct ApprovePeer {
    SessionNumber session = 0;
    std::string peer;
    bool approved = false;
};
/// Sets whether the user must approve each new receiver. `false` approves the waiting ones.
struct SetApproval {
    SessionNumber session = 0;
    bool wanted = false;
};
struct AddRelays {
    SessionNumber session = 0;
    std::string peer;
    std::vector<TurnServer> turn;
};
/// Sets the STUN servers for a share's later receivers; the first server is queried.
struct SetStun {
    SessionNumber session = 0;
    std::vector<StunServer> stun;
};
/// The answer to PortOpenedEvent: the port that a router mapped, if any.
struct AddMapping {
    UdpPort port;
    std::optional<UdpPort> mapped;
};

/// The answer to NameAskedEvent: the name's address on the local network, if any.
struct AnswerName {
    NameQuestion question = 0;
    std::optional<std::string> address;
};
/// Secrets that admit a receiver to a share.
struct ByWords {
    std::string words;
};
struct ByResumeKey {
    SecretKey key;
};
struct ByContact {
    std::string contact;
};
using ReceiveSecret = std::variant<ByWords, ByResumeKey, ByContact>;
struct OpenReceive {
    SessionNumber session = 0;
    WireId receive{};
    std::string nameplate;
    ReceiveSecret secret;
    std::string peer;
    std::string name;
    IceServers ice;
    /// FilesChangedEvent reports each file.
    bool watch_files = false;
    /// Up to kMaxPrefetchBytes of the first files are sent with the offer, into memory. No effect
    /// in the background or with a download limit. Accept::output can't follow.
    bool prefetch = false;
    /// Asks for extended attributes; ReceiveOptions decide about them later.
    bool attributes = false;
    /// An earlier session that failed elsewhere with the same words; 0 for none.
    SessionNumber after = 0;
};
struct Signal {
    SessionNumber session = 0;
    std::string peer;
    std::string payload;
};
struct ListOffer {
    SessionNumber session = 0;
    std::string path;
    /// Words to search for below `path`; empty lists that folder.
    std::string query;
    std::uint64_t offset = 0;
    std::uint64_t limit = 0;
    /// Names under which items are found, too; null for none.
    std::shared_ptr<const Renames> renames{};
};
/// Unparsed patterns; Selection checks them.
struct SelectionText {
    std::vector<std::string> only;
    std::vector<std::string> except;
    std::vector<std::string> first;
};
enum class FileFilter : std::uint8_t { All, Waiting, Active, Done, Problem, Skipped };
inline constexpr std::size_t kFileFilters = 6;
/// A page of the files of one transfer.
struct ListFiles {
    SessionNumber session = 0;
    /// A share's receiver; empty for a receive.
    std::string peer;
    /// Chosen by the caller and repeated in the answer.
    std::uint32_t request = 0;
    FileFilter filter = FileFilter::All;
    /// Search words in the path, ASCII case-insensitive. Empty: any path.
    std::string query;
    std::uint64_t offset = 0;
    std::uint64_t limit = 0;
};
struct Preflight {
    SessionNumber session = 0;
    std::string directory;
    ReceiveOptions options;
    SelectionText selection;
};
/// Limits of an offer that is accepted automatically: total size, and no name at any depth may
/// begin with a dot. Removed entries count as well.
struct AutoAcceptLimit {
    std::uint64_t max_bytes = 0;
};
struct Accept {
    SessionNumber session = 0;
    std::string directory;
    ReceiveOptions options;
    SelectionText selection;
    /// Set when no user reviewed the offer.
    std::optional<AutoAcceptLimit> auto_accept;
    /// Writes to this file descriptor of the process instead of `directory`: 1 for standard output.
    std::optional<int> output{};
};
/// Declines an offer that was not accepted; Undecided leaves it for the user to accept later.
struct Refuse {
    SessionNumber session = 0;
    ErrorCode why = ErrorCode::Declined;
};
struct ChangeSelection {
    SessionNumber session = 0;
    std::vector<std::string> patterns;
    bool wanted = false;
};
/// Gives requested files priority over everything else, in manifest order.
struct PrioritizeFiles {
    SessionNumber session = 0;
    std::vector<std::string> patterns;
};
struct SetPaused {
    SessionNumber session = 0;
    std::string peer;
    bool paused = false;
};
struct SetLimits {
    std::uint64_t upload = 0;
    std::uint64_t download = 0;
};
/// Makes all transfers, including running ones, use only capacity that other traffic leaves.
struct SetBackground {
    bool enabled = false;
};
/// Later connections write qlogs to this directory; empty disables them.
struct SetQlog {
    std::string directory;
};
/// Applies to later connections.
struct SetTransport {
    Transport transport;
};
/// Replaces the paths that earlier connections have measured, newest first. See PathSavedEvent.
struct SetSavedPaths {
    /// `until` counts from the time of the command.
    std::vector<SavedPaths::Entry> paths;
};
/// Applies to senders that are recognized later.
struct SetInstallation {
    /// The secret that record_key derives from.
    SecretKey secret;
};
struct DeletePartial {
    SessionNumber session = 0;
    std::string directory;
    /// Receives whose partial files stay.
    std::vector<WireId> kept;
};
/// Maximum number of receives in DeletePartial::kept.
inline constexpr std::uint32_t kMaxKeptReceives = 1000;
struct SetContacts {
    std::optional<SecretKey> own;
    std::vector<Contact> contacts;
};
struct RequestContact {
    SessionNumber session = 0;
    std::string peer;
};
struct EndSession {
    SessionNumber session = 0;
};
/// Ends one session of a receive that continues in another one: the sender keeps its place.
struct DetachSession {
    SessionNumber session = 0;
};
/// The server reports that the sender is gone: probes it.
struct ProbePeer {
    SessionNumber session = 0;
};
/// Ends a share that another program will reopen: its receivers reconnect.
struct SuspendShare {
    SessionNumber session = 0;
};

using Command =
    std::variant<OpenShare, AddItems, RemoveItem, SetMaxReceivers, SetCode, RevokeCode, AddPeer,
                 DisconnectPeer, OpenReceive, Signal, ListOffer, Preflight, Accept, ChangeSelection,
                 SetPaused, SetLimits, SetBackground, SetTransport, SetQlog, DeletePartial,
                 EndSession, AddRelays, SetContacts, RequestContact, Refuse, ListFiles,
                 PrioritizeFiles, SuspendShare, ConfirmAdmission, ApprovePeer, SetApproval,
                 EndStream, DetachSession, ProbePeer, AddMapping, AnswerName, SetStun,
                 SetSavedPaths, SetInstallation, SetFollowable, Rescan>;

/// Maximum number of commands waiting for the network thread; beyond it post() returns EngineBusy.
inline constexpr std::size_t kMaxQueuedCommands = 10'000;

} // namespace thru

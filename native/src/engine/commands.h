// What JavaScript asks of the engine; the C++ form of EngineCommand in native/commands.d.ts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/admission_record.h"
#include "link/link_events.h"
#include "link/transport.h"
#include "pairing/contact.h"
#include "pairing/pairing_secret.h"
#include "path/candidate_line.h"
#include "path/ice_servers.h"
#include "source/tree_scan.h"
#include "transfer/receive_options.h"
#include "wire/control.h"

namespace thru {

/// Receivers of one share at the same time.
inline constexpr std::size_t kDefaultReceivers = 10;
inline constexpr std::size_t kMaxReceivers = 1000;
/// Entries of one Listing.
inline constexpr std::uint64_t kMaxListed = 1000;

struct OpenShare {
    SessionNumber session = 0;
    std::vector<ScanItem> items;
    std::vector<std::string> exclude;
    bool links = true;
    /// As ScanOptions.
    bool ignore_files = false;
    std::size_t max_receivers = kDefaultReceivers;
    /// Only the first receiver is admitted, until the number is set again.
    bool one_receiver = false;
    /// A person approves each receiver first.
    bool approval = false;
    std::string name;
    /// The secret that origin_key derives from.
    SecretKey installation;
    IceServers ice;
    /// FilesChangedEvent tells of each file of each receiver.
    bool watch_files = false;
    /// Of an earlier program with the same share.
    std::optional<AdmissionRecord> restored;
};
struct AddItems {
    SessionNumber session = 0;
    std::vector<ScanItem> items;
};
struct RemoveItem {
    SessionNumber session = 0;
    std::uint32_t item = 0;
};
/// What the producer of a stream came to, when the stream waits for that.
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
/// A person wants another code; SetCode follows.
struct GiveUpCode {
    SessionNumber session = 0;
};
struct AddPeer {
    SessionNumber session = 0;
    std::string peer;
};
struct DropPeer {
    SessionNumber session = 0;
    std::string peer;
    /// Not sent away by a person: it keeps its resume key.
    bool may_resume = false;
};
/// The answer to ApprovalWantedEvent.
struct ApprovePeer {
    SessionNumber session = 0;
    std::string peer;
    bool approved = false;
};
/// Whether a person approves each receiver from now on. `false` approves those that wait.
struct SetApproval {
    SessionNumber session = 0;
    bool wanted = false;
};
struct AddRelays {
    SessionNumber session = 0;
    std::string peer;
    std::vector<TurnServer> turn;
};
/// STUN servers for receivers that come from now on to a share, the first of which is asked.
struct SetStun {
    SessionNumber session = 0;
    std::vector<StunServer> stun;
};
/// The answer to PortOpenedEvent: what a router has mapped it to, if one has.
struct AddMapping {
    UdpPort port;
    std::optional<UdpPort> mapped;
};

/// The answer to NameAskedEvent: the address behind that name, if the local network has one.
struct AnswerName {
    NameQuestion question = 0;
    std::optional<std::string> address;
};
/// Ways to be admitted to a share.
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
    /// FilesChangedEvent tells of each file.
    bool watch_files = false;
    /// The session with the same words that failed at another place; 0 for none.
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
    /// Words to search for in all folders below `path`; empty lists that folder.
    std::string query;
    std::uint64_t offset = 0;
    std::uint64_t limit = 0;
};
/// Patterns as they came; Selection checks them.
struct SelectionText {
    std::vector<std::string> only;
    std::vector<std::string> except;
    std::vector<std::string> first;
};
/// Which files of a list are meant, by their states.
enum class FileFilter : std::uint8_t { All, Waiting, Active, Done, Problem, Skipped };
inline constexpr std::size_t kFileFilters = 6;
/// A page of the files of one transfer.
struct ListFiles {
    SessionNumber session = 0;
    /// A share's receiver; empty for a receive.
    std::string peer;
    /// Chosen by the caller: the answer has it.
    std::uint32_t request = 0;
    FileFilter filter = FileFilter::All;
    /// In the path; letters of ASCII match in either case. Empty: any path.
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
/// Bounds an offer that is received without review: no name in it begins with a dot, at any depth.
/// Everything that was ever offered counts.
struct Unasked {
    std::uint64_t max_bytes = 0;
};
struct Accept {
    SessionNumber session = 0;
    std::string directory;
    ReceiveOptions options;
    SelectionText selection;
    /// Set when no person reviewed the offer.
    std::optional<Unasked> unasked;
    /// Writes to this stream of the process in the place of `directory`: 1 for standard output.
    std::optional<int> output{};
};
/// Ends a receive that was not accepted; the sender hears why. Undecided leaves the offer to a
/// person, who may accept it another time.
struct Refuse {
    SessionNumber session = 0;
    ErrorCode why = ErrorCode::Declined;
};
struct ChangeSelection {
    SessionNumber session = 0;
    std::vector<std::string> patterns;
    bool wanted = false;
};
/// Of what is requested: before everything else, in the manifest's order.
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
/// Whether transfers take only what others leave of the network, also those that run.
struct SetLeaveRoom {
    bool leaves = false;
};
/// Connections that begin from now on leave qlogs there; empty: nowhere.
struct SetQlog {
    std::string directory;
};
/// For connections that begin from now on.
struct SetTransport {
    Transport transport;
};
struct ForgetPartial {
    SessionNumber session = 0;
    std::string directory;
};
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
/// Ends one session of a receive that goes on in another one: the sender keeps its place.
struct LeaveReceive {
    SessionNumber session = 0;
};
/// The server says that the sender is gone: it is silent unless it soon gives a sign of life.
struct SuspectSender {
    SessionNumber session = 0;
};
/// Ends a share that another program opens again: its receivers look for it.
struct SuspendShare {
    SessionNumber session = 0;
};

using Command =
    std::variant<OpenShare, AddItems, RemoveItem, SetMaxReceivers, SetCode, GiveUpCode, AddPeer,
                 DropPeer, OpenReceive, Signal, ListOffer, Preflight, Accept, ChangeSelection,
                 SetPaused, SetLimits, SetLeaveRoom, SetTransport, SetQlog, ForgetPartial,
                 EndSession, AddRelays, SetContacts, RequestContact, Refuse, ListFiles,
                 PrioritizeFiles, SuspendShare, ApprovePeer, SetApproval, EndStream, LeaveReceive,
                 SuspectSender, AddMapping, AnswerName, SetStun>;

/// Commands waiting for the network thread; a caller that floods gets EngineBusy.
inline constexpr std::size_t kMaxQueuedCommands = 10'000;

} // namespace thru

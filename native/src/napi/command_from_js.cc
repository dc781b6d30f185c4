#include "napi/convert.h"

#include <string>

#include "napi/command_values.h"

namespace thru {

namespace {

constexpr std::uint32_t kMaxRequest = 0x7FFF'FFFF;

std::string peer_of(Fields &fields) { return fields.text("peer", kMaxName); }

std::optional<Command> read_share_command(const std::string &type, Fields &fields) {
    if (type == "open-share") {
        return OpenShare{.session = session_of(fields),
                         .items = items_of(fields),
                         .exclude = texts_of(fields, "exclude", kMaxPatterns),
                         .links = fields.flag("links"),
                         .follow_links = fields.flag("followLinks"),
                         .ignore_files = fields.flag("ignoreFiles"),
                         .attributes = fields.is_given("attributes") && fields.flag("attributes"),
                         .max_receivers = fields.number("maxReceivers", 0, kMaxReceivers),
                         .one_receiver = fields.flag("oneReceiver"),
                         .approval = fields.flag("approval"),
                         .browsers = fields.flag("browsers"),
                         .name = fields.text("name", kMaxName),
                         .installation = secret_key_of(fields, "installation"),
                         .ice = ice_of(fields),
                         .watch_files = watches_files(fields),
                         .restored = restored_of(fields),
                         .stores_admission = fields.flag("storesAdmission")};
    }
    if (type == "confirm-admission") {
        return ConfirmAdmission{session_of(fields), fields.count("revision")};
    }
    if (type == "set-followable") {
        return SetFollowable{session_of(fields), fields.flag("followable")};
    }
    if (type == "rescan") {
        return Rescan{session_of(fields)};
    }
    if (type == "add-items") {
        return AddItems{session_of(fields), items_of(fields)};
    }
    if (type == "remove-item") {
        return RemoveItem{session_of(fields), fields.number("item", 0, kMaxItems)};
    }
    if (type == "end-stream") {
        return EndStream{session_of(fields), fields.flag("complete")};
    }
    if (type == "set-max-receivers") {
        return SetMaxReceivers{session_of(fields), fields.number("count", 0, kMaxReceivers)};
    }
    if (type == "set-code") {
        return SetCode{session_of(fields), fields.text("code")};
    }
    if (type == "revoke-code") {
        return RevokeCode{session_of(fields)};
    }
    if (type == "add-peer") {
        return AddPeer{session_of(fields), peer_of(fields)};
    }
    if (type == "disconnect-peer") {
        return DisconnectPeer{session_of(fields), peer_of(fields), fields.flag("mayResume")};
    }
    if (type == "approve-peer") {
        return ApprovePeer{session_of(fields), peer_of(fields), fields.flag("approved")};
    }
    if (type == "set-approval") {
        return SetApproval{session_of(fields), fields.flag("wanted")};
    }
    return std::nullopt;
}

std::optional<Command> read_receive_command(const std::string &type, Fields &fields) {
    if (type == "open-receive") {
        return OpenReceive{
            .session = session_of(fields),
            .receive = id_of(fields, "receiveId"),
            .nameplate = fields.text("nameplate", kMaxName),
            .secret = secret_of(fields),
            .peer = peer_of(fields),
            .name = fields.text("name", kMaxName),
            .ice = ice_of(fields),
            .watch_files = watches_files(fields),
            .prefetch = fields.is_given("prefetch") && fields.flag("prefetch"),
            .attributes = fields.is_given("attributes") && fields.flag("attributes"),
            .after = fields.is_given("after") ? fields.number("after", 1, kMaxRequest) : 0};
    }
    if (type == "list-offer") {
        return ListOffer{.session = session_of(fields),
                         .path = fields.path("path"),
                         .query = fields.path("query"),
                         .offset = fields.number("offset", 0, kMaxManifestEntries),
                         .limit = fields.number("limit", 1, kMaxListed),
                         .renames = renames_of(fields)};
    }
    if (type == "preflight") {
        return Preflight{session_of(fields), fields.text("directory"), options_of(fields),
                         selection_of(fields)};
    }
    if (type == "accept") {
        Accept accept{session_of(fields),   fields.text("directory"),     options_of(fields),
                      selection_of(fields), auto_accept_limit_of(fields), output_of(fields)};
        accept.options.wait_for_room = fields.is_given("waitForRoom") && fields.flag("waitForRoom");
        return accept;
    }
    if (type == "refuse") {
        return Refuse{session_of(fields), error_from_name(fields.text("why", kMaxName))};
    }
    if (type == "change-selection") {
        return ChangeSelection{session_of(fields), texts_of(fields, "patterns", kMaxPatterns),
                               fields.flag("wanted")};
    }
    if (type == "prioritize") {
        return PrioritizeFiles{session_of(fields), texts_of(fields, "patterns", kMaxPatterns)};
    }
    return std::nullopt;
}

std::optional<Command> read_command(Fields &fields) {
    const auto type = fields.text("type");
    if (auto command = read_share_command(type, fields)) {
        return command;
    }
    if (auto command = read_receive_command(type, fields)) {
        return command;
    }
    if (type == "signal") {
        return Signal{session_of(fields), peer_of(fields), fields.text("payload")};
    }
    if (type == "add-relays") {
        return AddRelays{session_of(fields), peer_of(fields), relays_of(fields)};
    }
    if (type == "set-stun") {
        return SetStun{session_of(fields), stun_of(fields)};
    }
    if (type == "add-mapping") {
        return mapping_of(fields);
    }
    if (type == "answer-name") {
        return name_answer_of(fields);
    }
    if (type == "request-contact") {
        return RequestContact{session_of(fields), peer_of(fields)};
    }
    if (type == "set-contacts") {
        return contacts_of(fields);
    }
    if (type == "list-files") {
        return ListFiles{.session = session_of(fields),
                         .peer = peer_of(fields),
                         .request = fields.number("request", 0, kMaxRequest),
                         .filter = filter_of(fields),
                         .query = fields.path("query"),
                         .offset = fields.number("offset", 0, kMaxManifestEntries),
                         .limit = fields.number("limit", 1, kMaxListed)};
    }
    if (type == "set-paused") {
        return SetPaused{session_of(fields), peer_of(fields), fields.flag("paused")};
    }
    if (type == "set-limits") {
        return SetLimits{fields.count("upload"), fields.count("download")};
    }
    if (type == "set-background") {
        return SetBackground{fields.flag("enabled")};
    }
    if (type == "set-transport") {
        return SetTransport{{.connection_window = fields.count("connectionWindow"),
                             .socket_buffers = fields.count("socketBuffers")}};
    }
    if (type == "set-saved-paths") {
        return saved_paths_of(fields);
    }
    if (type == "set-installation") {
        return SetInstallation{secret_key_of(fields, "secret")};
    }
    if (type == "set-qlog") {
        return SetQlog{fields.path("directory")};
    }
    if (type == "delete-partial") {
        return DeletePartial{session_of(fields), fields.text("directory"),
                             kept_receives_of(fields)};
    }
    if (type == "suspend-share") {
        return SuspendShare{session_of(fields)};
    }
    if (type == "detach-session") {
        return DetachSession{session_of(fields)};
    }
    if (type == "probe-peer") {
        return ProbePeer{session_of(fields)};
    }
    if (type == "end-session") {
        return EndSession{session_of(fields)};
    }
    fields.wrong("type", "is unknown");
    return std::nullopt;
}

} // namespace

std::optional<Command> command_from_js(Napi::Env env, const Napi::Value &value) {
    if (!value.IsObject()) {
        Napi::TypeError::New(env, "a command must be an object").ThrowAsJavaScriptException();
        return std::nullopt;
    }
    Fields fields(env, value.As<Napi::Object>());
    auto command = read_command(fields);
    if (!fields.fault().empty()) {
        Napi::TypeError::New(env, fields.fault()).ThrowAsJavaScriptException();
        return std::nullopt;
    }
    return command;
}

} // namespace thru

#include "napi/convert.h"

#include <array>
#include <string_view>

#include "engine/key_encoding.h"
#include "napi/event_names.h"
#include "napi/event_object.h"
#include "napi/name_text.h"

namespace thru {

namespace {

const char *kind_name(EntryKind kind, bool text, bool stream = false) {
    switch (kind) {
    case EntryKind::Folder:
        return "folder";
    case EntryKind::Link:
        return "link";
    case EntryKind::File:
    case EntryKind::Gone:
        break;
    }
    return stream ? "stream" : text ? "text" : "file";
}

const char *why_name(KeptEntry::Why why) {
    switch (why) {
    case KeptEntry::Why::Changed:
        return "changed";
    case KeptEntry::Why::Failed:
        return "failed";
    case KeptEntry::Why::ItemGone:
        return "item-gone";
    case KeptEntry::Why::Incomplete:
        break;
    }
    return "incomplete";
}

std::string hex(const WireId &id) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (const std::uint8_t byte : id) {
        text += {kDigits[byte >> 4], kDigits[byte & 0x0F]};
    }
    return text;
}

struct ToJs {
    Napi::Env env;

    Napi::Number number(std::uint64_t value) const {
        return Napi::Number::New(env, static_cast<double>(value));
    }
    Napi::Number milliseconds(std::int64_t ns) const {
        constexpr std::int64_t kNsPerMs = 1'000'000;
        return Napi::Number::New(env, static_cast<double>(ns / kNsPerMs));
    }
    /// `make` converts one element to a value.
    template <class Elements, class Make>
    Napi::Array list(const Elements &elements, Make make) const {
        auto array = Napi::Array::New(env, elements.size());
        std::uint32_t index = 0;
        for (const auto &element : elements) {
            array.Set(index++, make(element));
        }
        return array;
    }
    Napi::Array items(const std::vector<OfferItem> &items) const {
        return list(items, [this](const OfferItem &item) {
            auto value = Napi::Object::New(env);
            value.Set("id", number(item.id));
            value.Set("name", name_text(env, item.top.name));
            value.Set("kind", kind_name(item.top.kind, item.top.text, item.top.stream));
            value.Set("files", number(item.top.files));
            value.Set("bytes", number(item.top.bytes));
            return value;
        });
    }
    Napi::Array left_out(const LeftOut &left_out) const {
        return list(left_out.reasons, [this](const LeftOutReason &reason) {
            const auto paths = list(
                reason.paths, [this](const std::string &path) { return name_text(env, path); });
            auto value = Napi::Object::New(env);
            value.Set("code", std::string(error_name(reason.code)));
            value.Set("entries", number(reason.entries));
            value.Set("paths", paths);
            return value;
        });
    }
    Napi::Array mapped(const std::vector<MappedName> &names) const {
        return list(names, [this](const MappedName &name) {
            auto value = Napi::Object::New(env);
            value.Set("path", name_text(env, name.path));
            value.Set("writtenAs", name_text(env, name.written_as));
            return value;
        });
    }
    Napi::Object conflicts(const ConflictSummary &summary) const {
        auto value = Napi::Object::New(env);
        value.Set("identical", number(summary.identical));
        value.Set("identicalBytes", number(summary.identical_bytes));
        value.Set("different", number(summary.different));
        value.Set("replaced", number(summary.replaced));
        value.Set("keptBoth", number(summary.kept_both));
        value.Set("leftOut", number(summary.left_out));
        return value;
    }

    Napi::Object operator()(const ScanEvent &event) const {
        return EventObject(env, "scan", event)
            .count("files", event.files)
            .count("folders", event.folders)
            .count("bytes", event.bytes)
            .flag("complete", event.complete)
            .count("excluded", event.excluded)
            .count("leftOut", event.left_out)
            .done();
    }
    Napi::Object operator()(const ScanItemsEvent &event) const {
        const auto links = list(event.links, [this](const FollowedLink &link) {
            auto value = Napi::Object::New(env);
            value.Set("path", name_text(env, link.path));
            value.Set("target", name_text(env, link.target));
            return value;
        });
        const auto resolved =
            list(event.resolved, [this](const std::string &path) { return name_text(env, path); });
        return EventObject(env, "scan-items", event)
            .value("items", items(event.items))
            .value("resolved", resolved)
            .count("followed", event.followed)
            .value("followedLinks", links)
            .done();
    }
    Napi::Object operator()(const ItemProblemEvent &event) const {
        return EventObject(env, "item-problem", event)
            .path("path", event.path)
            .error(event.error)
            .done();
    }
    Napi::Object operator()(const SignalEvent &event) const {
        return EventObject(env, "signal", event).text("payload", event.payload).done();
    }
    Napi::Object operator()(const PairingDoneEvent &event) const {
        return EventObject(env, "pairing-done", event)
            .text("safety", event.safety)
            .text("contact", event.contact)
            .flag("approved", event.approved)
            .done();
    }
    Napi::Object operator()(const ApprovalRequestedEvent &event) const {
        return EventObject(env, "approval-requested", event).done();
    }
    Napi::Object operator()(const ApprovedEvent &event) const {
        return EventObject(env, "approved", event).done();
    }
    Napi::Object operator()(const GuessesEvent &event) const {
        return EventObject(env, "guesses", event)
            .count("wrong", event.wrong)
            .flag("locked", event.locked)
            .flag("spent", event.spent)
            .done();
    }
    Napi::Object operator()(const UnauthenticatedLoadEvent &event) const {
        return EventObject(env, "unauthenticated-load", event).flag("high", event.high).done();
    }
    Napi::Object operator()(const AdmissionEvent &event) const {
        const auto receivers = list(event.record.receivers, [this](const ResumeKeys &keys) {
            auto value = Napi::Object::New(env);
            value.Set("key", encode_key(keys.key));
            value.Set("next", keys.next
                                  ? Napi::Value(Napi::String::New(env, encode_key(*keys.next)))
                                  : env.Null());
            value.Set("hasPlace", keys.has_place);
            return value;
        });
        auto record = Napi::Object::New(env);
        record.Set("share", hex(event.record.share));
        record.Set("wrong", number(event.record.wrong));
        record.Set("wrongOfShare", number(event.record.wrong_of_share));
        record.Set("receivers", receivers);
        return EventObject(env, "admission", event)
            .value("record", record)
            .count("revision", event.revision)
            .done();
    }
    Napi::Object operator()(const ResumeKeyEvent &event) const {
        return EventObject(env, "resume-key", event).text("key", encode_key(event.key)).done();
    }
    Napi::Object operator()(const ContactRequestedEvent &event) const {
        return EventObject(env, "contact-requested", event).done();
    }
    Napi::Object operator()(const ContactAddedEvent &event) const {
        return EventObject(env, "contact-added", event)
            .text("publicKey", encode_key(event.contact.public_key))
            .text("key", encode_key(event.contact.shared))
            .done();
    }
    Napi::Object operator()(const ConnectedEvent &event) const {
        return EventObject(env, "connected", event).route(event.route).done();
    }
    Napi::Object operator()(const RouteChangedEvent &event) const {
        return EventObject(env, "route-changed", event).route(event.route).done();
    }
    Napi::Object operator()(const GreetedEvent &event) const {
        return EventObject(env, "greeted", event)
            .text("name", event.name)
            .text("id", hex(event.id))
            .flag("browser", event.browser)
            .done();
    }
    Napi::Object operator()(const OfferEvent &event) const {
        return EventObject(env, "offer", event)
            .value("items", items(event.items))
            .count("files", event.files)
            .count("folders", event.folders)
            .count("bytes", event.bytes)
            .flag("dotNames", event.dot_names)
            .flag("followable", event.followable)
            .value("leftOut", left_out(event.left_out))
            .done();
    }
    Napi::Object operator()(const ListingEvent &event) const {
        const auto entries = list(event.listing.entries, [this](const ListedEntry &entry) {
            auto value = Napi::Object::New(env);
            value.Set("name", name_text(env, entry.name));
            value.Set("kind", kind_name(entry.kind, entry.text));
            value.Set("files", number(entry.files));
            value.Set("bytes", number(entry.bytes));
            value.Set("mtimeMs", milliseconds(entry.mtime_ns));
            return value;
        });
        return EventObject(env, "listing", event)
            .path("path", event.path)
            .path("query", event.query)
            .count("offset", event.offset)
            .count("total", event.listing.total)
            .value("entries", entries)
            .done();
    }
    Napi::Object operator()(const FilesEvent &event) const {
        const auto files = list(event.page.files, [this](const ListedFile &file) {
            auto value = Napi::Object::New(env);
            value.Set("index", number(file.index));
            value.Set("path", name_text(env, file.path));
            value.Set("kind", kind_name(file.kind, false));
            value.Set("size", number(file.size));
            value.Set("bytes", number(file.bytes));
            value.Set("state", file_state_name(file.state));
            return value;
        });
        const auto counts = Napi::Object::New(env);
        constexpr std::array<const char *, kFileFilters> kNames = {"all",  "waiting", "active",
                                                                   "done", "problem", "skipped"};
        for (std::size_t filter = 0; filter < kFileFilters; ++filter) {
            counts.Set(kNames[filter], number(event.page.counts[filter]));
        }
        return EventObject(env, "files", event)
            .count("request", event.request)
            .error(event.error)
            .value("counts", counts)
            .count("total", event.page.total)
            .value("files", files)
            .done();
    }
    Napi::Object operator()(const FilesChangedEvent &event) const {
        const auto &changes = event.changes;
        const auto files = list(changes.files, [this](const ListedFile &file) {
            auto value = Napi::Object::New(env);
            value.Set("path", name_text(env, file.path));
            value.Set("size", number(file.size));
            value.Set("state", file_state_name(file.state));
            return value;
        });
        const auto active =
            list(changes.active, [this](const std::string &path) { return name_text(env, path); });
        return EventObject(env, "files-changed", event)
            .value("files", files)
            .count("more", changes.more)
            .value("active", active)
            .count("activeFiles", changes.active_files)
            .done();
    }
    Napi::Object operator()(const PreflightEvent &event) const {
        std::size_t at = 0;
        const auto paths = list(event.result.listed_conflicts, [&](const Conflict &conflict) {
            const auto &offered = event.conflicts[at++];
            auto value = Napi::Object::New(env);
            value.Set("path", name_text(env, offered.path));
            value.Set("bytes", number(offered.bytes));
            value.Set("mtimeMs", milliseconds(offered.mtime_ns));
            value.Set("thereBytes", number(conflict.existing_bytes));
            value.Set("thereMtimeMs", milliseconds(conflict.existing_mtime_ns));
            value.Set("offeredIsNewer", conflict.offered_is_newer);
            value.Set("replaced", conflict.replaced);
            return value;
        });
        const auto too_large =
            list(event.too_large, [this](const std::string &path) { return name_text(env, path); });
        return EventObject(env, "preflight", event)
            .text("directory", event.directory)
            .error(event.error)
            .value("conflicts", conflicts(event.result.conflicts))
            .count("updatedFiles", event.result.updated_files)
            .count("updatedBytes", event.result.updated_bytes)
            .value("conflictPaths", paths)
            .count("wantedFiles", event.result.wanted_files)
            .count("wantedBytes", event.result.wanted_bytes)
            .count("resumedBytes", event.result.resumed_bytes)
            .count("neededBytes", event.result.needed_bytes)
            .count("freeBytes", event.result.free_bytes)
            .count("mappedCount", event.result.mapped_names)
            .value("mappedNames", mapped(event.result.listed_names))
            .value("tooLarge", too_large)
            .done();
    }
    Napi::Object operator()(const AcceptedEvent &event) const {
        return EventObject(env, "accepted", event)
            .count("resumedBytes", event.resumed_bytes)
            .value("conflicts", conflicts(event.conflicts))
            .count("mappedCount", event.mapped_names)
            .value("mappedNames", mapped(event.listed_names))
            .done();
    }
    Napi::Object operator()(const NamesMappedEvent &event) const {
        return EventObject(env, "names-mapped", event)
            .count("mappedCount", event.mapped_names)
            .value("mappedNames", mapped(event.listed_names))
            .done();
    }
    Napi::Object operator()(const DeletionsEvent &event) const {
        const auto kept = list(event.report.listed, [this](const KeptEntry &entry) {
            auto value = Napi::Object::New(env);
            value.Set("path", name_text(env, entry.path));
            value.Set("why", why_name(entry.why));
            return value;
        });
        return EventObject(env, "deletions", event)
            .count("moved", event.report.moved)
            .text("folder", event.report.folder)
            .count("keptCount", event.report.kept)
            .value("kept", kept)
            .done();
    }
    Napi::Object operator()(const ProgressEvent &event) const {
        return EventObject(env, "progress", event)
            .count("files", event.files)
            .count("bytes", event.bytes)
            .count("totalFiles", event.total_files)
            .count("totalBytes", event.total_bytes)
            .count("transferred", event.transferred)
            .count("offeredFiles", event.offered_files)
            .count("unwantedFiles", event.unwanted_files)
            .count("reusedBytes", event.reused_bytes)
            .done();
    }
    Napi::Object operator()(const FlowEvent &event) const {
        auto state = Napi::Object::New(env);
        state.Set("kind", flow_name(event.state.kind));
        if (event.state.kind == FlowState::Kind::DiskFull ||
            event.state.kind == FlowState::Kind::PeerDiskFull) {
            state.Set("need", number(event.state.need));
        }
        if (event.state.full != Shortage::Kind::Space) {
            state.Set("full", event.state.full == Shortage::Kind::Quota ? "quota" : "files");
        }
        return EventObject(env, "flow", event).value("state", state).done();
    }
    Napi::Object operator()(const StalledEvent &event) const {
        return EventObject(env, "stalled", event).text("reason", stall_name(event.reason)).done();
    }
    Napi::Object operator()(const NetworkChangedEvent &event) const {
        return EventObject(env, "network-changed", event).done();
    }
    Napi::Object operator()(const PortOpenedEvent &event) const {
        return EventObject(env, "port-opened", event)
            .text("address", event.port.address)
            .count("port", event.port.port)
            .done();
    }
    Napi::Object operator()(const PortClosedEvent &event) const {
        return EventObject(env, "port-closed", event)
            .text("address", event.port.address)
            .count("port", event.port.port)
            .done();
    }
    Napi::Object operator()(const NameAskedEvent &event) const {
        return EventObject(env, "name-asked", event)
            .count("question", event.question)
            .text("name", event.name)
            .done();
    }
    Napi::Object operator()(const NameDroppedEvent &event) const {
        return EventObject(env, "name-dropped", event).count("question", event.question).done();
    }
    Napi::Object operator()(const PathSavedEvent &event) const {
        return EventObject(env, "path-saved", event)
            .text("network", event.network)
            .count("window", event.window)
            .count("roundTripNs", event.round_trip)
            .count("lifetimeMs", event.lifetime / kMillisecond)
            .done();
    }
    Napi::Object operator()(const SilenceEvent &event) const {
        return EventObject(env, "silence", event).flag("silent", event.silent).done();
    }
    Napi::Object operator()(const StatisticsEvent &event) const {
        return EventObject(env, "statistics", event)
            .value("statistics", statistics_to_js(env, event))
            .done();
    }
    Napi::Object operator()(const TextEvent &event) const {
        return EventObject(env, "text", event)
            .path("name", event.name)
            .text("text", event.text)
            .done();
    }
    Napi::Object operator()(const FinishedEvent &event) const {
        return EventObject(env, "finished", event)
            .count("files", event.files)
            .count("bytes", event.bytes)
            .count("problems", event.problems)
            .count("renamed", event.renamed)
            .count("transferred", event.transferred)
            .count("identical", event.identical)
            .count("identicalBytes", event.identical_bytes)
            .count("uncompared", event.uncompared)
            .count("offeredFiles", event.offered_files)
            .count("unwantedFiles", event.unwanted_files)
            .count("reusedBytes", event.reused_bytes)
            .flag("readBack", event.read_back)
            .flag("inStep", event.in_step)
            .done();
    }
    Napi::Object operator()(const FailedEvent &event) const {
        return EventObject(env, "failed", event).error(event.error).done();
    }
    Napi::Object operator()(const PartialDeletedEvent &event) const {
        return EventObject(env, "partial-deleted", event)
            .error(event.error)
            .count("files", event.files)
            .count("bytes", event.bytes)
            .done();
    }
};

} // namespace

Napi::Object event_to_js(Napi::Env env, const Event &event) { return std::visit(ToJs{env}, event); }

} // namespace thru

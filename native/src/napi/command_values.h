// Readers of the values in commands from JavaScript. Private to napi/.
//
// Each reads one field, or the fields of one object; Fields records errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/commands.h"
#include "napi/fields.h"

namespace thru {

/// Maximum number of items in a share.
inline constexpr std::uint32_t kMaxItems = 10'000;
/// Maximum length of any name except file names, in bytes.
inline constexpr std::size_t kMaxName = 64;

SessionNumber session_of(Fields &fields);
WireId id_of(Fields &fields, const char *name);
std::vector<WireId> kept_receives_of(Fields &fields);
SecretKey secret_key_of(Fields &fields, const char *name);
std::vector<std::string> texts_of(Fields &fields, const char *name, std::uint32_t most);

std::vector<ScanItem> items_of(Fields &fields);
/// nullopt for a share without an earlier program.
std::optional<AdmissionRecord> restored_of(Fields &fields);

ReceiveSecret secret_of(Fields &fields);
ReceiveOptions options_of(Fields &fields);
/// Null if no item is renamed.
std::shared_ptr<const Renames> renames_of(Fields &fields);
SelectionText selection_of(Fields &fields);
/// nullopt if the user accepted the offer.
std::optional<AutoAcceptLimit> auto_accept_limit_of(Fields &fields);
/// The descriptor that receives data instead of a folder: only standard output is supported.
std::optional<int> output_of(Fields &fields);

std::vector<TurnServer> relays_of(Fields &fields);
std::vector<StunServer> stun_of(Fields &fields);
IceServers ice_of(Fields &fields);
AddMapping mapping_of(Fields &fields);
AnswerName name_answer_of(Fields &fields);
FileFilter filter_of(Fields &fields);
bool watches_files(Fields &fields);
SetContacts contacts_of(Fields &fields);
SetSavedPaths saved_paths_of(Fields &fields);

} // namespace thru

// The values that commands from JavaScript consist of. Private to napi/.
//
// Each reads one field, or those of one object; what is wrong is remembered by the fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/commands.h"
#include "napi/fields.h"

namespace thru {

/// Items of a share.
inline constexpr std::uint32_t kMaxItems = 10'000;
/// Longest name of anything but a file.
inline constexpr std::size_t kMaxName = 64;

SessionNumber session_of(Fields &fields);
WireId id_of(Fields &fields, const char *name);
SecretKey secret_key_of(Fields &fields, const char *name);
std::vector<std::string> texts_of(Fields &fields, const char *name, std::uint32_t most);

std::vector<ScanItem> items_of(Fields &fields);
/// nullopt for a share that no earlier program had.
std::optional<AdmissionRecord> restored_of(Fields &fields);

ReceiveSecret secret_of(Fields &fields);
ReceiveOptions options_of(Fields &fields);
SelectionText selection_of(Fields &fields);
/// nullopt where a person has agreed.
std::optional<Unasked> unasked_of(Fields &fields);
/// The descriptor that data goes to instead of a folder: standard output is the only one there is.
std::optional<int> output_of(Fields &fields);

std::vector<TurnServer> relays_of(Fields &fields);
std::vector<StunServer> stun_of(Fields &fields);
IceServers ice_of(Fields &fields);
AddMapping mapping_of(Fields &fields);
AnswerName name_answer_of(Fields &fields);
FileFilter filter_of(Fields &fields);
bool watches_files(Fields &fields);
SetContacts contacts_of(Fields &fields);

} // namespace thru

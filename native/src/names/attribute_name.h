// Names of extended attributes that may be sent and received. Normative text:
// docs/protocol.md#extended-attributes
#pragma once

#include <string_view>

#include "wire/extended_attribute.h"

namespace thru {

/// False for attributes by which a system or a program grants rights, marks where a file came from,
/// or finds its other names. `name` is that of an ExtendedAttribute.
bool is_kept_attribute(std::string_view name);

/// True for Finder's information and the resource fork, on which Finder acts.
bool is_of_finder(std::string_view name);

/// True for Finder's information of a file that leads elsewhere, as a link does, and of a folder
/// that opens as a program.
bool is_alias_or_bundle(const ExtendedAttribute &attribute);

} // namespace thru

#pragma once

#include "base/error.h"
#include "engine/commands.h"
#include "engine/contact_book.h"
#include "link/peer_link.h"

namespace thru {

/// Checks a receiver's credentials: BadCode (malformed), ContactUnknown (no such contact).
Result<PeerLink::Credentials> credentials_of(const OpenReceive &command, const ContactBook &book);

} // namespace thru

#include "engine/contact_book.h"

#include <algorithm>

namespace thru {

namespace {

const Contact *first_of(const std::vector<Contact> &contacts, auto matches) {
    const auto found = std::ranges::find_if(contacts, matches);
    return found == contacts.end() ? nullptr : &*found;
}

} // namespace

const Contact *ContactBook::find(std::string_view id) const {
    return first_of(contacts, [&](const Contact &contact) { return contact.id == id; });
}

const Contact *ContactBook::find(const PairingRequested &request) const {
    return first_of(contacts, [&](const Contact &contact) {
        return PairingSecret::key(PairingSecret::Kind::Contact, contact.shared).hint(request.run) ==
               request.hint;
    });
}

std::optional<ContactProof> ContactBook::proof(const Contact &contact) const {
    return own ? std::optional(ContactProof{.own = *own, .peer = contact.public_key})
               : std::nullopt;
}

} // namespace thru

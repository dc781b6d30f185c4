#include "path/agent_sockets.h"

#include <algorithm>
#include <array>

namespace thru {

namespace {

/// Datagrams per send through libnice; GLib builds vectors for all of them on the stack.
constexpr std::size_t kMessagesPerSend = 64;

} // namespace

void each_socket(NiceAgent *agent, guint stream, const std::function<void(GSocket *)> &visit) {
    auto *sockets = nice_agent_get_sockets(agent, stream, kIceComponent);
    for (guint index = 0; sockets != nullptr && index < sockets->len; ++index) {
        auto *each = static_cast<GSocket *>(g_ptr_array_index(sockets, index));
        if (g_socket_get_socket_type(each) == G_SOCKET_TYPE_DATAGRAM) {
            visit(each);
        }
    }
    g_clear_pointer(&sockets, g_ptr_array_unref);
}

SocketPointer socket_at(NiceAgent *agent, guint stream, const NiceAddress &address) {
    SocketPointer found;
    each_socket(agent, stream, [&](GSocket *each) {
        const std::unique_ptr<GSocketAddress, ObjectDeleter> bound(
            g_socket_get_local_address(each, nullptr));
        sockaddr_storage storage{};
        NiceAddress own_address;
        if (bound &&
            g_socket_address_to_native(bound.get(), &storage, sizeof storage, nullptr) != FALSE) {
            nice_address_set_from_sockaddr(&own_address, reinterpret_cast<sockaddr *>(&storage));
            if (nice_address_equal(&own_address, &address) != FALSE) {
                found.reset(static_cast<GSocket *>(g_object_ref(each)));
            }
        }
    });
    return found;
}

std::vector<int> sockets_beside(NiceAgent *agent, guint stream, const GSocket *taken) {
    std::vector<int> descriptors;
    each_socket(agent, stream, [&](GSocket *each) {
        if (each != taken) {
            descriptors.push_back(g_socket_get_fd(each));
        }
    });
    return descriptors;
}

std::vector<NiceAddress> known_remotes(NiceAgent *agent, guint stream) {
    std::vector<NiceAddress> known;
    auto *candidates = nice_agent_get_remote_candidates(agent, stream, kIceComponent);
    for (const auto *each = candidates; each != nullptr; each = each->next) {
        known.push_back(static_cast<NiceCandidate *>(each->data)->addr);
    }
    g_slist_free_full(candidates, reinterpret_cast<GDestroyNotify>(&nice_candidate_free));
    return known;
}

DatagramPath::Sent send_through(NiceAgent *agent, guint stream, ByteView bytes,
                                std::size_t segment) {
    std::array<GOutputVector, kMessagesPerSend> vectors;
    std::array<NiceOutputMessage, kMessagesPerSend> messages;
    std::size_t taken = 0;
    while (taken < bytes.size()) {
        std::size_t count = 0;
        auto at = taken;
        for (; at < bytes.size() && count < kMessagesPerSend; ++count) {
            const auto size = std::min(segment, bytes.size() - at);
            vectors.at(count) = {bytes.data() + at, size};
            messages.at(count) = {&vectors.at(count), 1};
            at += size;
        }
        GError *failure = nullptr;
        const auto sent =
            nice_agent_send_messages_nonblocking(agent, stream, kIceComponent, messages.data(),
                                                 static_cast<guint>(count), nullptr, &failure);
        const bool busy =
            sent < 0 && g_error_matches(failure, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK) != FALSE;
        g_clear_error(&failure);
        if (busy) {
            break;
        }
        // Other refusals are permanent, so drop one datagram.
        const auto done = static_cast<std::size_t>(std::max(sent, 1));
        taken = std::min(at, taken + done * segment);
    }
    return {.bytes = taken};
}

} // namespace thru

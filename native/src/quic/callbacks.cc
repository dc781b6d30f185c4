// ngtcp2's callbacks: thin translations to the connection's state and its listener.
#include "crypto/random.h"
#include "quic/connection_state.h"

namespace thru {

namespace {

ConnectionState &state_of(void *user) { return *static_cast<ConnectionState *>(user); }

int on_stream_data(ngtcp2_conn *, std::uint32_t flags, std::int64_t stream, std::uint64_t,
                   const std::uint8_t *data, std::size_t size, void *user, void *) {
    const bool fin = (flags & NGTCP2_STREAM_DATA_FLAG_FIN) != 0;
    auto &state = state_of(user);
    state.unconsumed += size;
    state.last_stream_data = state.reading_at;
    state.listener.on_stream_data(stream, {data, size}, fin);
    return 0;
}

int on_acknowledged(ngtcp2_conn *, std::int64_t stream, std::uint64_t offset, std::uint64_t size,
                    void *user, void *) {
    auto &state = state_of(user);
    state.streams.acknowledge(stream, offset + size, state.reading_at);
    return 0;
}

int on_stream_close(ngtcp2_conn *, std::uint32_t, std::int64_t stream, std::uint64_t, void *user,
                    void *) {
    auto &state = state_of(user);
    state.streams.drop(stream);
    state.listener.on_stream_closed(stream);
    return 0;
}

int on_stream_reset(ngtcp2_conn *, std::int64_t stream, std::uint64_t, std::uint64_t, void *user,
                    void *) {
    state_of(user).listener.on_stream_reset(stream);
    return 0;
}

/// This protocol does not use STOP_SENDING; messages decline unwanted data.
int on_stop_sending(ngtcp2_conn *, std::int64_t, std::uint64_t, void *user, void *) {
    state_of(user).stopped = true;
    return 0;
}

int on_established(ngtcp2_conn *, void *user) {
    auto &state = state_of(user);
    state.established = true;
    state.counts.handshake = state.reading_at - state.library.begun_at();
    state.listener.on_established();
    return 0;
}

void fill_random(std::uint8_t *out, std::size_t size, const ngtcp2_rand_ctx *context) {
    if (context->native_handle == nullptr) {
        random_bytes({out, size});
    } else {
        const auto &draw =
            *static_cast<const decltype(ConnectionSettings::draw) *>(context->native_handle);
        draw({out, size});
    }
}

int on_path_validation(ngtcp2_conn *, std::uint32_t, const ngtcp2_path *path, const ngtcp2_path *,
                       ngtcp2_path_validation_result result, void *user) {
    auto &state = state_of(user);
    if (result == NGTCP2_PATH_VALIDATION_RESULT_SUCCESS) {
        state.migration.on_validated(*path);
        state.writer.begin_path(state.settings.datagram_bytes);
    } else {
        state.migration.on_refused(*path);
    }
    return 0;
}

int on_new_connection_id(ngtcp2_conn *, ngtcp2_cid *cid, ngtcp2_stateless_reset_token *token,
                         std::size_t size, void *) {
    random_bytes({cid->data, size});
    cid->datalen = size;
    random_bytes({token->data, sizeof token->data});
    return 0;
}

} // namespace

ngtcp2_callbacks connection_callbacks(bool server) {
    ngtcp2_callbacks callbacks{};
    if (server) {
        callbacks.recv_client_initial = ngtcp2_crypto_recv_client_initial_cb;
    } else {
        callbacks.client_initial = ngtcp2_crypto_client_initial_cb;
        callbacks.recv_retry = ngtcp2_crypto_recv_retry_cb;
    }
    callbacks.handshake_completed = on_established;
    callbacks.recv_crypto_data = ngtcp2_crypto_recv_crypto_data_cb;
    callbacks.encrypt = ngtcp2_crypto_encrypt_cb;
    callbacks.decrypt = ngtcp2_crypto_decrypt_cb;
    callbacks.hp_mask = ngtcp2_crypto_hp_mask_cb;
    callbacks.update_key = ngtcp2_crypto_update_key_cb;
    callbacks.delete_crypto_aead_ctx = ngtcp2_crypto_delete_crypto_aead_ctx_cb;
    callbacks.delete_crypto_cipher_ctx = ngtcp2_crypto_delete_crypto_cipher_ctx_cb;
    callbacks.version_negotiation = ngtcp2_crypto_version_negotiation_cb;
    callbacks.get_path_challenge_data2 = ngtcp2_crypto_get_path_challenge_data2_cb;
    callbacks.rand = fill_random;
    callbacks.path_validation = on_path_validation;
    callbacks.get_new_connection_id2 = on_new_connection_id;
    callbacks.recv_stream_data = on_stream_data;
    callbacks.acked_stream_data_offset = on_acknowledged;
    callbacks.stream_close = on_stream_close;
    callbacks.stream_reset = on_stream_reset;
    callbacks.recv_stop_sending = on_stop_sending;
    return callbacks;
}

} // namespace thru

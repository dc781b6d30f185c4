#include "quic/farewell.h"

#include <bit>

#include "quic/tuple.h"

namespace thru {

void Farewell::write(ngtcp2_conn *conn, const ngtcp2_ccerr &reason, Timestamp now) {
    datagram_.resize(NGTCP2_MAX_UDP_PAYLOAD_SIZE);
    ngtcp2_path_storage out_path;
    ngtcp2_path_storage_zero(&out_path);
    ngtcp2_pkt_info info{};
    const auto written = ngtcp2_conn_write_connection_close(
        conn, &out_path.path, &info, datagram_.data(), datagram_.size(), &reason, now);
    datagram_.resize(written > 0 ? static_cast<std::size_t>(written) : 0);
    due_ = !datagram_.empty();
    if (due_) {
        path_id_ = path_id_of(out_path.path);
        closing_until_ = now + 3 * ngtcp2_conn_get_pto2(conn);
    }
}

void Farewell::send(DatagramPath &out) {
    if (due_) {
        due_ = out.send_last(datagram_, path_id_).bytes == 0;
    }
}

void Farewell::on_received() {
    ++received_;
    due_ = due_ || (!datagram_.empty() && std::has_single_bit(received_));
}

} // namespace thru

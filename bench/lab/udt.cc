// The smallest copier of files by UDT, with its own settings:
//   udt receive <port> <folder>  |  udt send <address> <port> <file or folder>
// Each file is the length of its name in 2 bytes, the name, its size in 8 bytes, and its data; a
// name of no length ends, and the receiver answers with a byte when all is written.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <arpa/inet.h>
#include <udt/udt.h>

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxName = 4096;

[[noreturn]] void give_up(const char *what) {
    std::fprintf(stderr, "%s: %s\n", what, UDT::getlasterror().getErrorMessage());
    std::exit(1);
}

void demand(bool is_right, const char *what) {
    if (!is_right) {
        give_up(what);
    }
}

void send_all(UDTSOCKET socket, const void *bytes, int count) {
    for (int at = 0; at < count;) {
        const int sent = UDT::send(socket, static_cast<const char *>(bytes) + at, count - at, 0);
        demand(sent != UDT::ERROR, "send");
        at += sent;
    }
}

void receive_all(UDTSOCKET socket, void *bytes, int count) {
    for (int at = 0; at < count;) {
        const int got = UDT::recv(socket, static_cast<char *>(bytes) + at, count - at, 0);
        demand(got != UDT::ERROR, "receive");
        at += got;
    }
}

sockaddr_in address_of(const char *address, const char *port) {
    sockaddr_in made{};
    made.sin_family = AF_INET;
    made.sin_port = htons(static_cast<std::uint16_t>(std::atoi(port)));
    inet_pton(AF_INET, address, &made.sin_addr);
    return made;
}

void receive(UDTSOCKET socket, const char *port, const fs::path &folder) {
    auto here = address_of("0.0.0.0", port);
    demand(UDT::bind(socket, reinterpret_cast<sockaddr *>(&here), sizeof here) != UDT::ERROR,
           "bind");
    demand(UDT::listen(socket, 1) != UDT::ERROR, "listen");
    sockaddr_in other{};
    int length = sizeof other;
    const auto from = UDT::accept(socket, reinterpret_cast<sockaddr *>(&other), &length);
    demand(from != UDT::INVALID_SOCK, "accept");
    for (;;) {
        std::uint16_t name_length = 0;
        receive_all(from, &name_length, sizeof name_length);
        if (name_length == 0) {
            break;
        }
        demand(name_length <= kMaxName, "name");
        std::string name(name_length, '\0');
        receive_all(from, name.data(), name_length);
        std::int64_t size = 0;
        receive_all(from, &size, sizeof size);
        const auto path = folder / name;
        fs::create_directories(path.parent_path());
        std::fstream file(path, std::ios::out | std::ios::binary | std::ios::trunc);
        std::int64_t offset = 0;
        demand(size == 0 || UDT::recvfile(from, file, offset, size) != UDT::ERROR, "receive file");
    }
    const char done = 1;
    send_all(from, &done, sizeof done);
    UDT::close(from);
}

void send(UDTSOCKET socket, const sockaddr_in &target, const fs::path &source) {
    auto to = target;
    demand(UDT::connect(socket, reinterpret_cast<sockaddr *>(&to), sizeof to) != UDT::ERROR,
           "connect");
    std::vector<fs::path> files;
    if (fs::is_directory(source)) {
        for (const auto &entry : fs::recursive_directory_iterator(source)) {
            if (entry.is_regular_file()) {
                files.push_back(entry.path());
            }
        }
    } else {
        files.push_back(source);
    }
    std::ranges::sort(files);
    for (const auto &path : files) {
        const std::string name = fs::relative(path, source.parent_path());
        demand(name.size() <= kMaxName, "name");
        const auto name_length = static_cast<std::uint16_t>(name.size());
        std::int64_t size = static_cast<std::int64_t>(fs::file_size(path));
        send_all(socket, &name_length, sizeof name_length);
        send_all(socket, name.data(), name_length);
        send_all(socket, &size, sizeof size);
        std::fstream file(path, std::ios::in | std::ios::binary);
        std::int64_t offset = 0;
        demand(size == 0 || UDT::sendfile(socket, file, offset, size) != UDT::ERROR, "send file");
    }
    const std::uint16_t end = 0;
    send_all(socket, &end, sizeof end);
    char done = 0;
    receive_all(socket, &done, sizeof done);
}

} // namespace

int main(int count, char **arguments) {
    using namespace std::string_view_literals;
    const bool receives = count == 4 && arguments[1] == "receive"sv;
    const bool sends = count == 5 && arguments[1] == "send"sv;
    if (!receives && !sends) {
        std::fputs("usage: udt receive <port> <folder> | udt send <address> <port> <path>\n",
                   stderr);
        return 2;
    }
    UDT::startup();
    const auto socket = UDT::socket(AF_INET, SOCK_STREAM, 0);
    if (receives) {
        receive(socket, arguments[2], arguments[3]);
    } else {
        send(socket, address_of(arguments[2], arguments[3]), arguments[4]);
    }
    UDT::close(socket);
    UDT::cleanup();
    return 0;
}

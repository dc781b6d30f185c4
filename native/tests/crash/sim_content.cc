#include "crash/sim_content.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace thru::test {

Fate::Fate(std::uint64_t seed) : random_(seed) {
    for (Rule &rule : rules_) {
        switch (random_() % 4) {
        case 0:
            rule = Rule::Lost;
            break;
        case 1:
            rule = Rule::Kept;
            break;
        default:
            rule = Rule::Mixed;
        }
    }
}

std::size_t Fate::version(Kind kind, std::size_t versions) {
    switch (rules_[static_cast<std::size_t>(kind)]) {
    case Rule::Lost:
        return 0;
    case Rule::Kept:
        return versions - 1;
    case Rule::Mixed:
        break;
    }
    return static_cast<std::size_t>(random_() % versions);
}

bool Fate::tears() { return random_() % 4 == 0; }

SimContent::BlockRef SimContent::at(const Blocks &blocks, std::uint64_t index) {
    const auto found = blocks.find(index);
    return found == blocks.end() ? nullptr : found->second;
}

void SimContent::set(Blocks &blocks, std::uint64_t index, BlockRef block) {
    if (block) {
        blocks[index] = std::move(block);
    } else {
        blocks.erase(index);
    }
}

void SimContent::change(std::uint64_t index, BlockRef block) {
    Unsynced &unsynced = unsynced_[index];
    unsynced.versions.push_back(block);
    unsynced.given_up = false;
    set(blocks_, index, std::move(block));
}

void SimContent::set_size(std::uint64_t bytes) {
    if (bytes != size_) {
        size_ = bytes;
        unsynced_sizes_.push_back(bytes);
    }
}

std::uint64_t SimContent::new_blocks(std::uint64_t offset, std::uint64_t bytes) const {
    const std::uint64_t first = offset / kBlockBytes;
    const std::uint64_t end = (offset + bytes + kBlockBytes - 1) / kBlockBytes;
    const auto existing = std::distance(blocks_.lower_bound(first), blocks_.lower_bound(end));
    return end - first - static_cast<std::uint64_t>(existing);
}

std::size_t SimContent::read(std::uint64_t offset, MutableByteView out) const {
    if (offset >= size_) {
        return 0;
    }
    const auto length =
        static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), size_ - offset));
    for (std::size_t done = 0; done < length;) {
        const auto within = static_cast<std::size_t>((offset + done) % kBlockBytes);
        const std::size_t piece = std::min<std::size_t>(length - done, kBlockBytes - within);
        const BlockRef block = at(blocks_, (offset + done) / kBlockBytes);
        if (block) {
            std::copy_n(block->data() + within, piece, out.data() + done);
        } else {
            std::fill_n(out.data() + done, piece, std::uint8_t{0});
        }
        done += piece;
    }
    return length;
}

void SimContent::write(std::uint64_t offset, ByteView bytes) {
    for (std::size_t done = 0; done < bytes.size();) {
        const std::uint64_t index = (offset + done) / kBlockBytes;
        const auto within = static_cast<std::size_t>((offset + done) % kBlockBytes);
        const std::size_t piece = std::min<std::size_t>(bytes.size() - done, kBlockBytes - within);
        const BlockRef old = at(blocks_, index);
        const auto block = old ? std::make_shared<Block>(*old) : std::make_shared<Block>();
        std::copy_n(bytes.data() + done, piece, block->data() + within);
        change(index, block);
        done += piece;
    }
    set_size(bytes.empty() ? size_ : std::max(size_, offset + bytes.size()));
}

void SimContent::resize(std::uint64_t bytes) {
    for (auto block = blocks_.lower_bound(bytes / kBlockBytes); block != blocks_.end();) {
        const auto [index, old] = *block++;
        const std::uint64_t begin = index * kBlockBytes;
        if (begin >= bytes) {
            change(index, nullptr);
        } else {
            auto cut = std::make_shared<Block>(*old);
            std::fill(cut->begin() + static_cast<std::ptrdiff_t>(bytes - begin), cut->end(),
                      std::uint8_t{0});
            change(index, std::move(cut));
        }
    }
    set_size(bytes);
}

std::uint64_t SimContent::next_data(std::uint64_t offset) const {
    const auto block = blocks_.lower_bound(offset / kBlockBytes);
    return block == blocks_.end() ? size_
                                  : std::min(size_, std::max(offset, block->first * kBlockBytes));
}

std::uint64_t SimContent::next_hole(std::uint64_t offset) const {
    while (blocks_.contains(offset / kBlockBytes)) {
        offset = (offset / kBlockBytes + 1) * kBlockBytes;
    }
    return std::min(offset, size_);
}

void SimContent::sync() {
    std::erase_if(unsynced_, [&](const auto &entry) {
        if (entry.second.given_up) {
            return false;
        }
        set(synced_blocks_, entry.first, at(blocks_, entry.first));
        return true;
    });
    synced_size_ = size_;
    unsynced_sizes_.clear();
}

void SimContent::fail_sync() {
    for (auto &[index, unsynced] : unsynced_) {
        unsynced.given_up = true;
    }
}

void SimContent::lose_power(Fate &fate) {
    for (auto &[index, unsynced] : unsynced_) {
        auto &versions = unsynced.versions;
        versions.insert(versions.begin(), at(synced_blocks_, index));
        if (!fate.tears()) {
            set(synced_blocks_, index, versions[fate.version(Fate::Kind::Data, versions.size())]);
            continue;
        }
        auto torn = std::make_shared<Block>();
        for (std::size_t sector = 0; sector < kBlockBytes; sector += kSectorBytes) {
            const BlockRef &from = versions[fate.version(Fate::Kind::Data, versions.size())];
            if (from) {
                std::copy_n(from->data() + sector, kSectorBytes, torn->data() + sector);
            }
        }
        set(synced_blocks_, index, std::move(torn));
    }
    unsynced_.clear();
    unsynced_sizes_.insert(unsynced_sizes_.begin(), synced_size_);
    const std::uint64_t size =
        unsynced_sizes_[fate.version(Fate::Kind::Sizes, unsynced_sizes_.size())];
    blocks_ = synced_blocks_;
    // Data beyond the end is lost for good.
    resize(size);
    sync();
}

} // namespace thru::test

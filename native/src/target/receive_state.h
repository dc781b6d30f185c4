// State of a receive in its folder, for the folder's strand only: writers get WriterAccess.
#pragma once

#include <memory>

#include "names/name_map.h"
#include "target/commit_queue.h"
#include "target/existing_files.h"
#include "target/ledger/entry_ledger.h"
#include "target/ledger/part_ledger.h"
#include "target/ledger/write_ledger.h"
#include "target/part_store.h"
#include "target/receive_folder.h"
#include "target/receive_journal.h"
#include "target/target.h"
#include "target/writer_access.h"

namespace thru {

struct ReceiveFolder::State {
    State(Target opened, std::shared_ptr<const ManifestTable> of, const ReceiveOptions &chosen,
          const TransferIds &transfer);

    const Target target;
    const std::shared_ptr<const ManifestTable> manifest;
    const ReceiveOptions options;
    const TransferIds ids;

    NameMap names;
    MadeFolders made_folders;
    EntryLedger entries;
    PartStore store{target, names, *manifest, made_folders};

    ReceiveJournal journal{*this};
    WriteLedger writes{entries, store};
    PartLedger parts{entries, store, writes, *manifest};
    const WriterAccess writer_access{target, *manifest, names, options, entries, store, writes};

    CommitQueue queue;
    ExistingFiles existing;

    /// See ReceiveFolder::underway.
    bool underway() const { return entries.any_prepared() || journal.is_own(); }
};

} // namespace thru

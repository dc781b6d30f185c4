// Data of a folder that its writers use concurrently with its strand.
#pragma once

#include "names/name_map.h"
#include "target/existing/existing_files.h"
#include "target/ledger/entry_ledger.h"
#include "target/ledger/write_ledger.h"
#include "target/lost_attributes.h"
#include "target/part_store.h"
#include "target/target.h"
#include "transfer/manifest_table.h"
#include "transfer/receive_options.h"

namespace thru {

struct WriterAccess {
    const Target &target;
    const ManifestTable &manifest;
    const NameMap &names;
    const ReceiveOptions &options;
    const EntryLedger &entries;
    /// Only for ExistingFiles::replaced_mode.
    const ExistingFiles &existing;
    const PartStore &store;
    WriteLedger &ledger;
    LostAttributes &lost_attributes;
};

} // namespace thru

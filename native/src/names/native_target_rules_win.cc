#include "names/safe_rel_path.h"

namespace thru {

TargetRules native_target_rules() { return TargetRules::Windows; }

} // namespace thru

#include <unistd.h>

#include "napi/process_end.h"

namespace thru {

void end_process(int exit_code) { ::_exit(exit_code); }

} // namespace thru

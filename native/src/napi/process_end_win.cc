#include <windows.h>

#include "napi/process_end.h"

namespace thru {

void end_process(int exit_code) {
    // ExitProcess calls into every library under a lock that a hanging thread may hold.
    TerminateProcess(GetCurrentProcess(), static_cast<UINT>(exit_code));
    for (;;) {
        Sleep(INFINITE);
    }
}

} // namespace thru

// Windows binds the addon's imports to "node.exe" by name; this hook returns the running program
// instead.
#include <windows.h>

#include <delayimp.h>
#include <string.h>

static FARPROC WINAPI load_running_program(unsigned int event, DelayLoadInfo *info) {
    if (event != dliNotePreLoadLibrary || _stricmp(info->szDll, "node.exe") != 0)
        return nullptr;
    return reinterpret_cast<FARPROC>(GetModuleHandleW(nullptr));
}

#ifdef __MINGW32__
// MinGW's header leaves the variable writable.
extern "C" {
PfnDliHook __pfnDliNotifyHook2 = load_running_program;
}
#else
const PfnDliHook __pfnDliNotifyHook2 = load_running_program;
#endif

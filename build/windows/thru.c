// thru.exe: the command on the PATH. Runs the app's command line with the app's own Node and returns its exit code. A
// batch file would make cmd.exe ask "Terminate batch job (Y/N)?" at every Ctrl+C.
#include <windows.h>

#include <stdlib.h>
#include <wchar.h>

// The longest command line that Windows allows.
enum { most_characters = 32767 };

static int fail(const wchar_t* what) {
  wchar_t text[600];
  const int length = _snwprintf(text, 600, L"thru could not be started: %ls (error %lu). Reinstall Thruflux.\n",
                                what, GetLastError());
  DWORD written = 0;
  const HANDLE out = GetStdHandle(STD_ERROR_HANDLE);
  if (length > 0 && !WriteConsoleW(out, text, (DWORD)length, &written, NULL)) {
    char bytes[1800];
    const int count = WideCharToMultiByte(CP_UTF8, 0, text, length, bytes, sizeof bytes, NULL, NULL);
    WriteFile(out, bytes, (DWORD)count, &written, NULL);
  }
  return 1;
}

// Returns the text after the program's name as typed, since parsing and quoting could change it.
static const wchar_t* arguments(void) {
  const wchar_t* at = GetCommandLineW();
  int quoted = 0;
  for (; *at != 0 && (quoted || (*at != L' ' && *at != L'\t')); ++at) {
    if (*at == L'"') quoted = !quoted;
  }
  return at;
}

// The command itself handles Ctrl+C, Ctrl+Break and the closing of the window.
static BOOL WINAPI leave_to_command(DWORD event) {
  if (event == CTRL_CLOSE_EVENT || event == CTRL_LOGOFF_EVENT || event == CTRL_SHUTDOWN_EVENT) Sleep(INFINITE);
  return TRUE;
}

int wmain(void) {
  // This file is in bin, below the app's folder.
  static wchar_t app[most_characters];
  const DWORD length = GetModuleFileNameW(NULL, app, most_characters);
  if (length == 0 || length == most_characters) return fail(L"its own path is too long");
  for (int level = 0; level < 2; ++level) {
    wchar_t* slash = wcsrchr(app, L'\\');
    if (slash == NULL) return fail(L"its own path has no folder");
    *slash = 0;
  }

  static wchar_t program[most_characters + 20];
  static wchar_t line[most_characters + 1];
  _snwprintf(program, most_characters + 20, L"%ls\\thru-node.exe", app);
  const int needed = _snwprintf(line, most_characters, L"\"%ls\" \"%ls\\resources\\app.asar\\out\\cli\\thru.cjs\"%ls",
                                program, app, arguments());
  if (needed < 0 || needed >= most_characters) return fail(L"the arguments are too long");

  SetEnvironmentVariableW(L"ELECTRON_RUN_AS_NODE", L"1");
  SetConsoleCtrlHandler(leave_to_command, TRUE);

  // The command ends together with this program.
  const HANDLE job = CreateJobObjectW(NULL, NULL);
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_SILENT_BREAKAWAY_OK;
  SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);

  STARTUPINFOW start = {0};
  start.cb = sizeof start;
  start.dwFlags = STARTF_USESTDHANDLES;
  start.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
  start.hStdOutput = GetStdHandle(STD_OUTPUT_HANDLE);
  start.hStdError = GetStdHandle(STD_ERROR_HANDLE);
  const HANDLE handles[] = {start.hStdInput, start.hStdOutput, start.hStdError};
  for (int index = 0; index < 3; ++index) SetHandleInformation(handles[index], HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);

  PROCESS_INFORMATION child;
  if (!CreateProcessW(program, line, NULL, NULL, TRUE, CREATE_SUSPENDED, NULL, NULL, &start, &child)) return fail(program);
  AssignProcessToJobObject(job, child.hProcess);
  ResumeThread(child.hThread);
  WaitForSingleObject(child.hProcess, INFINITE);
  DWORD code = 1;
  GetExitCodeProcess(child.hProcess, &code);
  return (int)code;
}

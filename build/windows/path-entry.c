// path-entry.exe add|remove user|machine FOLDER: adds a folder to the PATH, or removes it. The installer runs it,
// because NSIS would truncate a PATH of more than 1,024 characters.
#include <windows.h>

#include <stdlib.h>
#include <wchar.h>

static const wchar_t* const machine_key = L"SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment";

// Returns the value Path, which the caller frees: empty if it doesn't exist, NULL if it can't be
// read.
static wchar_t* read_path(HKEY key, DWORD* type) {
  DWORD bytes = 0;
  *type = REG_EXPAND_SZ;
  LONG status = RegQueryValueExW(key, L"Path", NULL, type, NULL, &bytes);
  if (status == ERROR_FILE_NOT_FOUND) bytes = 0;
  else if (status != ERROR_SUCCESS || (*type != REG_SZ && *type != REG_EXPAND_SZ)) return NULL;
  wchar_t* value = calloc(bytes / sizeof(wchar_t) + 2, sizeof(wchar_t));
  if (value == NULL || bytes == 0) return value;
  if (RegQueryValueExW(key, L"Path", NULL, type, (BYTE*)value, &bytes) == ERROR_SUCCESS) return value;
  free(value);
  return NULL;
}

static int is_entry(const wchar_t* entry, size_t length, const wchar_t* folder) {
  while (length > 0 && entry[length - 1] == L'\\') --length;
  return length == wcslen(folder) && _wcsnicmp(entry, folder, length) == 0;
}

// Returns the entries of `old` without `folder`, or with it at the end if `adds`; the rest stays
// unchanged.
static wchar_t* changed(const wchar_t* old, const wchar_t* folder, int adds) {
  wchar_t* result = calloc(wcslen(old) + wcslen(folder) + 2, sizeof(wchar_t));
  if (result == NULL) return NULL;
  int is_first = 1;
  for (const wchar_t* at = old; *old != 0; ++at) {
    const size_t length = wcscspn(at, L";");
    if (!is_entry(at, length, folder)) {
      if (!is_first) wcscat(result, L";");
      wcsncat(result, at, length);
      is_first = 0;
    }
    at += length;
    if (*at == 0) break;
  }
  if (adds) {
    const size_t length = wcslen(result);
    if (length > 0 && result[length - 1] != L';') wcscat(result, L";");
    wcscat(result, folder);
  }
  return result;
}

int wmain(int count, wchar_t** words) {
  if (count != 4) return 2;
  const int adds = wcscmp(words[1], L"add") == 0;
  const int for_machine = wcscmp(words[2], L"machine") == 0;
  HKEY key;
  const LONG opened = RegCreateKeyExW(for_machine ? HKEY_LOCAL_MACHINE : HKEY_CURRENT_USER,
                                      for_machine ? machine_key : L"Environment", 0, NULL, 0,
                                      KEY_READ | KEY_WRITE, NULL, &key, NULL);
  if (opened != ERROR_SUCCESS) return 1;
  DWORD type = 0;
  const wchar_t* old = read_path(key, &type);
  const wchar_t* value = old == NULL ? NULL : changed(old, words[3], adds);
  if (value == NULL) return 1;
  if (wcscmp(old, value) == 0) return 0;
  const LONG written = value[0] == 0
                           ? RegDeleteValueW(key, L"Path")
                           : RegSetValueExW(key, L"Path", 0, type, (const BYTE*)value,
                                            (DWORD)((wcslen(value) + 1) * sizeof(wchar_t)));
  RegCloseKey(key);
  if (written != ERROR_SUCCESS) return 1;
  // Makes new terminals see the change; doesn't wait for hung windows.
  SendMessageTimeoutW(HWND_BROADCAST, WM_SETTINGCHANGE, 0, (LPARAM)L"Environment", SMTO_ABORTIFHUNG, 2000, NULL);
  return 0;
}

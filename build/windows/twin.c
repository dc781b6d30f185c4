// twin.exe SOURCE DIFFERENCES TARGET: copies SOURCE with the bytes that DIFFERENCES lists. The installer makes
// thru-node.exe with it: packing the app's program twice would double the time to build the installer.
//
// DIFFERENCES has 64-bit little-endian numbers: TARGET's size, then for each range its offset, its
// length and its bytes.
#include <windows.h>

#include <stdint.h>

static int read_all(HANDLE file, void* into, DWORD length) {
  DWORD done = 0;
  return ReadFile(file, into, length, &done, NULL) && done == length;
}

static int patch(HANDLE differences, HANDLE target) {
  static uint8_t bytes[64 * 1024];
  uint64_t size = 0;
  if (!read_all(differences, &size, sizeof size)) return 0;
  LARGE_INTEGER place = {.QuadPart = (LONGLONG)size};
  if (!SetFilePointerEx(target, place, NULL, FILE_BEGIN) || !SetEndOfFile(target)) return 0;
  for (uint64_t range[2]; read_all(differences, range, sizeof range);) {
    place.QuadPart = (LONGLONG)range[0];
    if (!SetFilePointerEx(target, place, NULL, FILE_BEGIN)) return 0;
    while (range[1] > 0) {
      const DWORD part = range[1] < sizeof bytes ? (DWORD)range[1] : (DWORD)sizeof bytes;
      DWORD written = 0;
      if (!read_all(differences, bytes, part) || !WriteFile(target, bytes, part, &written, NULL) || written != part) return 0;
      range[1] -= part;
    }
  }
  return 1;
}

int wmain(int count, wchar_t** words) {
  if (count != 4) return 2;
  if (!CopyFileW(words[1], words[3], FALSE)) return 1;
  const HANDLE differences = CreateFileW(words[2], GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
  const HANDLE target = CreateFileW(words[3], GENERIC_WRITE, 0, NULL, OPEN_EXISTING, 0, NULL);
  const int done = differences != INVALID_HANDLE_VALUE && target != INVALID_HANDLE_VALUE && patch(differences, target);
  CloseHandle(target);
  if (!done) DeleteFileW(words[3]);
  return done ? 0 : 1;
}

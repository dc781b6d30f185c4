// shortcut.exe FILE TARGET ID DESCRIPTION: writes a shortcut with the app's id (AppUserModelID). Without it, Windows
// shows none of the app's notifications. NSIS can't write it.
#define COBJMACROS
#define INITGUID
#include <windows.h>

#include <propkey.h>
#include <propsys.h>
#include <propvarutil.h>
#include <shlobj.h>

static HRESULT name_app(IShellLinkW* link, const wchar_t* id) {
  IPropertyStore* store;
  HRESULT result = IShellLinkW_QueryInterface(link, &IID_IPropertyStore, (void**)&store);
  if (FAILED(result)) return result;
  PROPVARIANT value = {.vt = VT_LPWSTR, .pwszVal = (wchar_t*)id};
  result = IPropertyStore_SetValue(store, &PKEY_AppUserModel_ID, &value);
  if (SUCCEEDED(result)) result = IPropertyStore_Commit(store);
  IPropertyStore_Release(store);
  return result;
}

int wmain(int count, wchar_t** words) {
  if (count != 5) return 2;
  HRESULT result = CoInitializeEx(NULL, COINIT_APARTMENTTHREADED);
  IShellLinkW* link;
  if (SUCCEEDED(result)) result = CoCreateInstance(&CLSID_ShellLink, NULL, CLSCTX_INPROC_SERVER, &IID_IShellLinkW, (void**)&link);
  if (FAILED(result)) return 1;
  IShellLinkW_SetPath(link, words[2]);
  IShellLinkW_SetDescription(link, words[4]);
  // The shortcut is useful even without notifications.
  const HRESULT named = name_app(link, words[3]);
  IPersistFile* file;
  result = IShellLinkW_QueryInterface(link, &IID_IPersistFile, (void**)&file);
  if (SUCCEEDED(result)) {
    result = IPersistFile_Save(file, words[1], TRUE);
    IPersistFile_Release(file);
  }
  IShellLinkW_Release(link);
  if (FAILED(result)) return 1;
  return FAILED(named) ? 3 : 0;
}

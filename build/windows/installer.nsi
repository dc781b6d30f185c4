; The installer: for one account without an administrator, or with /allusers for everyone.
; scripts/package/windows/installer.mjs builds it and defines
;   VERSION     the app's version, and NUMBERS, its four numbers
;   APP         folder of the installed files, and SIZE, its KiB
;   REMOVALS    file with a Delete or RMDir for each of its files and folders
;   TOOLS       folder with path-entry.exe, shortcut.exe, twin.exe and its differences
;   APP_ID      the app's id in notifications and in the list of programs that start at login
;   ICON, OUTPUT
;   SIGN        command that signs the file named after it, if set
;   QUICK       for tests
; Switches: /S silent, /allusers, /currentuser, /D=FOLDER (last, without quotes); for updates --updated and --force-run.
; --elevated marks the instance that runs as administrator.
Unicode true
Target amd64-unicode
!include app.nsh
!include MUI2.nsh
!include FileFunc.nsh
!include LogicLib.nsh
!include nsDialogs.nsh
!include WinVer.nsh

!define UNINSTALL_KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Thruflux"
!define CLASSES "Software\Classes"

Name "Thruflux"
OutFile "${OUTPUT}"
RequestExecutionLevel user
ManifestDPIAware true
ManifestSupportedOS Win10
AllowSkipFiles off
BrandingText " "
VIProductVersion "${NUMBERS}"
VIAddVersionKey ProductName "Thruflux"
VIAddVersionKey FileDescription "Thruflux Setup"
VIAddVersionKey CompanyName "Thruflux contributors"
VIAddVersionKey LegalCopyright "MIT license"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey ProductVersion "${VERSION}"
!ifdef SIGN
  !uninstfinalize '${SIGN} "%1"'
!endif

Var Scope ; user or machine
Var IsUpdate
Var Everyone ; radio button for all accounts

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_ABORTWARNING
Page custom chooseScope leaveScope
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!define MUI_FINISHPAGE_RUN
!define MUI_FINISHPAGE_RUN_FUNCTION startApp
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

; ---- scope ----

!macro useScope un
  Function ${un}useScope
    ${If} $Scope == machine
      SetShellVarContext all
    ${Else}
      SetShellVarContext current
    ${EndIf}
    SetRegView 64
  FunctionEnd
!macroend
!insertmacro useScope ""
!insertmacro useScope "un."

; Chooses the folder of this scope's installation, or the default for new ones.
Function chooseFolder
  ReadRegStr $0 SHCTX "${UNINSTALL_KEY}" InstallLocation
  ${If} $0 != ""
    StrCpy $INSTDIR $0
  ${ElseIf} $Scope == machine
    StrCpy $INSTDIR "$PROGRAMFILES64\Thruflux"
  ${Else}
    StrCpy $INSTDIR "$LOCALAPPDATA\Programs\Thruflux"
  ${EndIf}
FunctionEnd

; Restarts the app after an update. If there are two installers, the one without elevation starts it.
Function startAfterUpdate
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "--elevated" $1
  ${IfNot} ${Errors}
    Return
  ${EndIf}
  ClearErrors
  ${GetOptions} $0 "--force-run" $1
  ${IfNot} ${Errors}
    Exec '"$INSTDIR\Thruflux.exe" --updated'
  ${EndIf}
FunctionEnd

; Starts the app as the user even from an elevated installer: Windows blocks dropping files on elevated windows.
; Explorer passes the request to the process that shows the desktop.
Function startApp
  Exec '"$WINDIR\explorer.exe" "$INSTDIR\Thruflux.exe"'
FunctionEnd

; Restarts this program as administrator, and exits after it. While this instance runs, its open handle keeps others
; from writing, renaming or removing the file, so the administrator approves the file that was checked.
Function elevate
  ${GetParameters} $0
  HideWindow
  ClearErrors
  ; NSIS removes /D from the parameters.
  ExecShellWait "runas" "$EXEPATH" "/allusers --elevated $0 /D=$INSTDIR"
  ${If} ${Errors}
    MessageBox MB_ICONSTOP "Only an administrator can install Thruflux for everyone." /SD IDOK
    SetErrorLevel 5
    Quit
  ${EndIf}
  Call startAfterUpdate
  Quit
FunctionEnd

!macro isAdministrator result
  UserInfo::GetAccountType
  Pop ${result}
!macroend

Function .onInit
  ${IfNot} ${AtLeastWin10}
    MessageBox MB_ICONSTOP "Thruflux needs Windows 10 or later." /SD IDOK
    SetErrorLevel 2
    Quit
  ${EndIf}
  SetRegView 64
  StrCpy $Scope user
  ReadRegStr $0 HKCU "${UNINSTALL_KEY}" InstallLocation
  ReadRegStr $1 HKLM "${UNINSTALL_KEY}" InstallLocation
  ${If} $0 == ""
  ${AndIf} $1 != ""
    StrCpy $Scope machine
  ${EndIf}
  ${GetParameters} $2
  ClearErrors
  ${GetOptions} $2 "/allusers" $3
  ${IfNot} ${Errors}
    StrCpy $Scope machine
  ${EndIf}
  ClearErrors
  ${GetOptions} $2 "/currentuser" $3
  ${IfNot} ${Errors}
    StrCpy $Scope user
  ${EndIf}
  StrCpy $IsUpdate 0
  ClearErrors
  ${GetOptions} $2 "--updated" $3
  ${IfNot} ${Errors}
    StrCpy $IsUpdate 1
  ${EndIf}
  Call useScope
  ${If} $INSTDIR == ""
    Call chooseFolder
  ${EndIf}
  !insertmacro isAdministrator $0
  ${If} $Scope == machine
  ${AndIf} $0 != Admin
    Call elevate
  ${EndIf}
FunctionEnd

Function chooseScope
  ${If} $IsUpdate == 1
    Abort
  ${EndIf}
  !insertmacro MUI_HEADER_TEXT "Who is it for?" "Thruflux ${VERSION}"
  nsDialogs::Create 1018
  Pop $0
  ${NSD_CreateRadioButton} 0 20u 100% 12u "Only for &me"
  Pop $0
  ${NSD_CreateRadioButton} 0 40u 100% 12u "For &everyone who uses this computer (requires an administrator)"
  Pop $Everyone
  ${If} $Scope == machine
    ${NSD_Check} $Everyone
  ${Else}
    ${NSD_Check} $0
  ${EndIf}
  nsDialogs::Show
FunctionEnd

Function leaveScope
  ${NSD_GetState} $Everyone $0
  StrCpy $1 user
  ${If} $0 == ${BST_CHECKED}
    StrCpy $1 machine
  ${EndIf}
  ${If} $1 != $Scope
    StrCpy $Scope $1
    Call useScope
    Call chooseFolder
  ${EndIf}
  !insertmacro isAdministrator $0
  ${If} $Scope == machine
  ${AndIf} $0 != Admin
    Call elevate
  ${EndIf}
FunctionEnd

; ---- running programs ----

; A running program can't be opened for writing. An app that is quitting gets half a minute.
!macro waitForEnd un
  Function ${un}waitForEnd
    ${ForEach} $0 1 60 + 1
      StrCpy $1 0
      ${If} ${FileExists} "$INSTDIR\Thruflux.exe"
        ClearErrors
        FileOpen $2 "$INSTDIR\Thruflux.exe" a
        ${If} ${Errors}
          StrCpy $1 1
        ${Else}
          FileClose $2
        ${EndIf}
      ${EndIf}
      ${If} ${FileExists} "$INSTDIR\thru-node.exe"
        ClearErrors
        FileOpen $2 "$INSTDIR\thru-node.exe" a
        ${If} ${Errors}
          StrCpy $1 1
        ${Else}
          FileClose $2
        ${EndIf}
      ${EndIf}
      ${If} $1 == 0
        Return
      ${EndIf}
      ${IfNot} ${Silent}
      ${AndIf} $0 == 10
        MessageBox MB_OKCANCEL|MB_ICONINFORMATION "Thruflux is running. Quit it, also in the tray, then choose OK." IDOK +3
        SetErrorLevel 1
        Quit
      ${EndIf}
      Sleep 500
    ${Next}
    MessageBox MB_ICONSTOP "Thruflux is still running. Quit it, then try again." /SD IDOK
    SetErrorLevel 1602
    Quit
  FunctionEnd
!macroend
!insertmacro waitForEnd ""
!insertmacro waitForEnd "un."

; ---- installing ----

!macro writeVerb key
  WriteRegStr SHCTX "${CLASSES}\${key}\shell\Thruflux" "" "Share with Thruflux"
  WriteRegStr SHCTX "${CLASSES}\${key}\shell\Thruflux" "Icon" "$INSTDIR\Thruflux.exe,0"
  ; Explorer would start one program per file; "Send to" starts one for all files.
  WriteRegStr SHCTX "${CLASSES}\${key}\shell\Thruflux" "MultiSelectModel" "Single"
  WriteRegStr SHCTX "${CLASSES}\${key}\shell\Thruflux\command" "" '"$INSTDIR\Thruflux.exe" "%1"'
!macroend

; Anyone can change files in a new folder outside Program Files, even programs that administrators run. Here only
; administrators can write; everyone else, including sandboxed apps, can read.
!macro protectFolder
  StrLen $1 "$PROGRAMFILES64\"
  StrCpy $0 $INSTDIR $1
  ${If} $Scope == machine
  ${AndIf} $0 != "$PROGRAMFILES64\"
  ${AndIfNot} ${FileExists} "$INSTDIR\*.*"
    CreateDirectory "$INSTDIR"
    nsExec::Exec '"$SYSDIR\icacls.exe" "$INSTDIR" /inheritance:r /grant *S-1-5-18:(OI)(CI)F *S-1-5-32-544:(OI)(CI)F *S-1-5-32-545:(OI)(CI)RX *S-1-15-2-1:(OI)(CI)RX *S-1-15-2-2:(OI)(CI)RX'
    Pop $0
  ${EndIf}
!macroend

Section
  Call waitForEnd
  ReadRegStr $0 SHCTX "${UNINSTALL_KEY}" InstallLocation
  ${If} $0 == $INSTDIR
  ${AndIf} ${FileExists} "$INSTDIR\Uninstall.exe"
    ; Only the previous version knows its own files. Other files of these names in a chosen folder aren't Thruflux's.
    ExecWait '"$INSTDIR\Uninstall.exe" /S --updated _?=$INSTDIR'
  ${EndIf}
  !insertmacro protectFolder
  ClearErrors
  SetOutPath "$INSTDIR"
  !insertmacro writeApp
  WriteUninstaller "$INSTDIR\Uninstall.exe"

  nsExec::Exec '"$PLUGINSDIR\shortcut.exe" "$SMPROGRAMS\Thruflux.lnk" "$INSTDIR\Thruflux.exe" "${APP_ID}" "Send files straight to other computers"'
  Pop $0
  ${If} $Scope == user
    CreateShortcut "$SENDTO\Thruflux.lnk" "$INSTDIR\Thruflux.exe" "" "" "" "" "" "Send with Thruflux"
  ${EndIf}

  WriteRegStr SHCTX "${CLASSES}\thruflux" "" "URL:Thruflux join link"
  WriteRegStr SHCTX "${CLASSES}\thruflux" "URL Protocol" ""
  WriteRegStr SHCTX "${CLASSES}\thruflux\DefaultIcon" "" "$INSTDIR\Thruflux.exe,0"
  ; After --, nothing is a switch, whatever a page puts into a link.
  WriteRegStr SHCTX "${CLASSES}\thruflux\shell\open\command" "" '"$INSTDIR\Thruflux.exe" "--" "%1"'
  !insertmacro writeVerb "*"
  !insertmacro writeVerb "Directory"
  WriteRegStr SHCTX "Software\Microsoft\Windows\CurrentVersion\App Paths\Thruflux.exe" "" "$INSTDIR\Thruflux.exe"

  WriteRegStr SHCTX "${UNINSTALL_KEY}" DisplayName "Thruflux"
  WriteRegStr SHCTX "${UNINSTALL_KEY}" DisplayVersion "${VERSION}"
  WriteRegStr SHCTX "${UNINSTALL_KEY}" DisplayIcon "$INSTDIR\Thruflux.exe"
  WriteRegStr SHCTX "${UNINSTALL_KEY}" Publisher "Thruflux contributors"
  WriteRegStr SHCTX "${UNINSTALL_KEY}" InstallLocation "$INSTDIR"
  WriteRegStr SHCTX "${UNINSTALL_KEY}" UninstallString '"$INSTDIR\Uninstall.exe"'
  WriteRegStr SHCTX "${UNINSTALL_KEY}" QuietUninstallString '"$INSTDIR\Uninstall.exe" /S'
  WriteRegDWORD SHCTX "${UNINSTALL_KEY}" EstimatedSize ${SIZE}
  WriteRegDWORD SHCTX "${UNINSTALL_KEY}" NoModify 1
  WriteRegDWORD SHCTX "${UNINSTALL_KEY}" NoRepair 1

  nsExec::Exec '"$PLUGINSDIR\path-entry.exe" add $Scope "$INSTDIR\bin"'
  Pop $0
SectionEnd

Function .onInstSuccess
  Call startAfterUpdate
FunctionEnd

; ---- uninstalling ----

; Uses the scope whose registry entry names this folder.
Function un.onInit
  SetRegView 64
  StrCpy $Scope user
  ReadRegStr $0 HKLM "${UNINSTALL_KEY}" InstallLocation
  ${If} $0 == $INSTDIR
    StrCpy $Scope machine
    !insertmacro isAdministrator $1
    ${If} $1 != Admin
      ${GetParameters} $2
      ExecShell "runas" "$INSTDIR\Uninstall.exe" "$2"
      Quit
    ${EndIf}
  ${EndIf}
  Call un.useScope
  StrCpy $IsUpdate 0
  ${GetParameters} $2
  ClearErrors
  ${GetOptions} $2 "--updated" $3
  ${IfNot} ${Errors}
    StrCpy $IsUpdate 1
  ${EndIf}
FunctionEnd

; The app registers the links for its account. Another copy, such as the portable one, may have replaced them since.
!macro removeLinks root
  ReadRegStr $0 ${root} "${CLASSES}\thruflux\shell\open\command" ""
  StrLen $1 '"$INSTDIR\Thruflux.exe" '
  StrCpy $0 $0 $1
  ${If} $0 == '"$INSTDIR\Thruflux.exe" '
    DeleteRegKey ${root} "${CLASSES}\thruflux"
  ${EndIf}
!macroend

; Removes only installed files: settings and history are in the account's folders, and stay.
Section Uninstall
  Call un.waitForEnd
  !include "${REMOVALS}"
  ${If} $IsUpdate == 1
    Return
  ${EndIf}

  InitPluginsDir
  File "/oname=$PLUGINSDIR\path-entry.exe" "${TOOLS}/path-entry.exe"
  nsExec::Exec '"$PLUGINSDIR\path-entry.exe" remove $Scope "$INSTDIR\bin"'
  Pop $0
  Delete "$SMPROGRAMS\Thruflux.lnk"
  ${If} $Scope == user
    Delete "$SENDTO\Thruflux.lnk"
  ${EndIf}
  !insertmacro removeLinks SHCTX
  !insertmacro removeLinks HKCU
  DeleteRegKey SHCTX "${CLASSES}\*\shell\Thruflux"
  DeleteRegKey SHCTX "${CLASSES}\Directory\shell\Thruflux"
  DeleteRegKey SHCTX "Software\Microsoft\Windows\CurrentVersion\App Paths\Thruflux.exe"
  DeleteRegKey /ifempty SHCTX "Software\Microsoft\Windows\CurrentVersion\App Paths"
  ; The app may have registered itself to start at login, and the user may have disabled that.
  DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
  DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "${APP_ID}"
  DeleteRegKey SHCTX "${UNINSTALL_KEY}"
  Delete "$INSTDIR\Uninstall.exe"
  RMDir "$INSTDIR"
SectionEnd

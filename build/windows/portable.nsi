; The portable program: extracts the app to a folder, such as one on a USB stick, and changes nothing else.
; scripts/package/windows/installer.mjs builds it with the definitions of installer.nsi. Switches: /S silent, /D=FOLDER.
Unicode true
Target amd64-unicode
!include app.nsh
!include MUI2.nsh
!include LogicLib.nsh

Name "Thruflux"
OutFile "${OUTPUT}"
InstallDir "$EXEDIR\Thruflux"
RequestExecutionLevel user
ManifestDPIAware true
ManifestSupportedOS Win10
AllowSkipFiles off
BrandingText " "
VIProductVersion "${NUMBERS}"
VIAddVersionKey ProductName "Thruflux"
VIAddVersionKey FileDescription "Thruflux, portable"
VIAddVersionKey CompanyName "Thruflux contributors"
VIAddVersionKey LegalCopyright "MIT license"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey ProductVersion "${VERSION}"

!define MUI_ICON "${ICON}"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!define MUI_FINISHPAGE_RUN "$INSTDIR\Thruflux.exe"
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_LANGUAGE "English"

Section
  SetOutPath "$INSTDIR"
  !insertmacro writeApp
SectionEnd

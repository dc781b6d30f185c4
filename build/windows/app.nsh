; Packs and writes the app, for the installer and the portable program.

; Tests define QUICK: larger files in a tenth of the time.
!ifdef QUICK
  SetCompressor zlib
!else
  SetCompressor /SOLID lzma
  SetCompressorDictSize 64
!endif

; Writes the app to $INSTDIR, or aborts. twin.exe makes thru-node.exe from Thruflux.exe.
!macro writeApp
  InitPluginsDir
  SetOutPath "$PLUGINSDIR"
  File "${TOOLS}/*.*"
  SetOutPath "$INSTDIR"
  File /r /x thru-node.exe "${APP}/*.*"
  nsExec::Exec '"$PLUGINSDIR\twin.exe" "$INSTDIR\Thruflux.exe" "$PLUGINSDIR\twin.differences" "$INSTDIR\thru-node.exe"'
  Pop $0
  ${If} ${Errors}
  ${OrIf} $0 != 0
    SetErrorLevel 2
    Abort "The files could not be written. Is the disk full?"
  ${EndIf}
!macroend

; QUICK is for tests: larger files in a tenth of the time.
!ifdef QUICK
  SetCompressor zlib
!else
  SetCompressor /SOLID lzma
  ; Larger than the app's program: thru-node.exe then costs nothing, as it differs from that in one byte.
  SetCompressorDictSize 256
!endif

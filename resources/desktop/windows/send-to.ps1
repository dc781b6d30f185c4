# send-to.ps1 -App PATH [-Remove]: adds Thruflux to this account's "Send to" menu, or removes it.
param(
  [Parameter(Mandatory = $true)] [string] $App,
  [switch] $Remove
)

$link = Join-Path ([Environment]::GetFolderPath('SendTo')) 'Thruflux.lnk'
if ($Remove) {
  Remove-Item -LiteralPath $link -Force -ErrorAction SilentlyContinue
  exit
}
$shortcut = (New-Object -ComObject WScript.Shell).CreateShortcut($link)
$shortcut.TargetPath = $App
$shortcut.Description = 'Send with Thruflux'
$shortcut.Save()

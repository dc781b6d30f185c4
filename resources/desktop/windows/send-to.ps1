# send-to.ps1 -App PATH [-Remove]: an entry for Thruflux in the menu "Send to" of this account.
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

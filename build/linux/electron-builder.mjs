/** Only the app's folder is electron-builder's: scripts/package/linux makes every package out of it. */
export const linux = {
  target: ['dir'],
  executableName: 'thruflux',
  category: 'Network',
}

/** electron-builder makes only the app's folder; scripts/package/linux makes every package from it. */
export const linux = {
  target: ['dir'],
  executableName: 'thruflux',
  category: 'Network',
}

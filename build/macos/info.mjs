import { product } from '../../scripts/package/product.mjs'

/** What the app's Info.plist has beside electron-builder's own entries. The Korean of its sentences is in ko.lproj. */
export const infoEntries = {
  // The system asks once, before the first datagram to the local network, and shows this sentence.
  NSLocalNetworkUsageDescription:
    'Thruflux finds shares on your local network and sends files directly to computers there.',
  // As client/lan/announcement.ts calls it.
  NSBonjourServices: ['_thruflux._tcp'],
  NSDesktopFolderUsageDescription: 'Thruflux shares files from your desktop when you choose them.',
  NSDocumentsFolderUsageDescription:
    'Thruflux shares files from your documents when you choose them.',
  NSDownloadsFolderUsageDescription: 'Thruflux saves the files that you receive in your downloads.',
  NSNetworkVolumesUsageDescription:
    'Thruflux shares files from network drives and saves files there when you choose them.',
  NSRemovableVolumesUsageDescription:
    'Thruflux shares files from removable drives and saves files there when you choose them.',
  // Join links.
  CFBundleURLTypes: [
    { CFBundleURLName: product.id, CFBundleURLSchemes: ['thruflux'], CFBundleTypeRole: 'Viewer' },
  ],
  // Files and folders that are dropped on the icon in the Dock, or opened with Thruflux, are shared. It is nobody's default.
  CFBundleDocumentTypes: [
    {
      CFBundleTypeName: 'Files and folders',
      CFBundleTypeRole: 'Viewer',
      LSHandlerRank: 'Alternate',
      LSItemContentTypes: ['public.data', 'public.folder'],
    },
  ],
  // A transfer isn't over because no window is open.
  NSSupportsAutomaticTermination: false,
  NSSupportsSuddenTermination: false,
}

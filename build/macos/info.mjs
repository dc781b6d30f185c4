import { product } from '../../scripts/package/product.mjs'

/** Entries of the app's Info.plist in addition to Electron's. ko.lproj has their Korean texts. */
export const infoEntries = {
  // The engine's C++ library needs this version, which native/vcpkg and scripts/deps/targets.mjs also name.
  LSMinimumSystemVersion: '13.3',
  // The system asks once, before the first datagram to the local network, and shows this sentence.
  NSLocalNetworkUsageDescription:
    'Thruflux finds shares on your local network and sends files directly to computers there.',
  // The service name of client/lan/announcement.ts.
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
  // Shares files and folders that are dropped on the Dock icon or opened with Thruflux. It is never the default app.
  CFBundleDocumentTypes: [
    {
      CFBundleTypeName: 'Files and folders',
      CFBundleTypeRole: 'Viewer',
      LSHandlerRank: 'Alternate',
      LSItemContentTypes: ['public.data', 'public.folder'],
    },
  ],
  // A transfer can continue without an open window.
  NSSupportsAutomaticTermination: false,
  NSSupportsSuddenTermination: false,
}

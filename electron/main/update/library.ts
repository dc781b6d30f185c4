/** electron-updater, restricted to signed feeds, our own folder and limited requests. */
import {
  AppImageUpdater,
  type AppUpdater,
  MacUpdater,
  NsisUpdater,
  Provider,
  type ResolvedUpdateFileInfo,
} from 'electron-updater'
import type { AppAdapter } from 'electron-updater/out/AppAdapter'
import { DownloadedUpdateHelper } from 'electron-updater/out/DownloadedUpdateHelper'
import type { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor'
import type { ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider'
import { Refusal } from '#client/update/refusal'
import type { Result } from '#shared/result'
import type { Feed, UpdatableKind } from '#shared/update/feed'
import type { UpdateError } from '#shared/update/update-error'

/** Options for the library. */
export type LibraryOptions = {
  readonly kind: UpdatableKind
  /** An absolute path, readable by this account only; packages are in its folder `pending`. */
  readonly directory: string
  /** The URL of the packages' folder. */
  readonly address: URL
  /** Returns the valid feed, if any. */
  readonly check: () => Promise<Result<Feed, UpdateError>>
  /** True if this installation gets the version regardless of the staged rollout. */
  readonly isAsked: () => boolean
  readonly executor: ElectronHttpExecutor
  /** The library's view of the app; Electron's by default. */
  readonly app?: AppAdapter
}

/** A feed in the library's format; two of its fields are deprecated and never read. */
type OwnInfo = Feed & { readonly path: string; readonly sha512: string }

/** Gives the library only feeds that `check` has accepted. */
class SignedProvider extends Provider<OwnInfo> {
  readonly #options: LibraryOptions

  constructor(own: LibraryOptions, runtime: ProviderRuntimeOptions) {
    super(runtime)
    this.#options = own
  }

  override async getLatestVersion(): Promise<OwnInfo> {
    const found = await this.#options.check()
    if (!found.ok) throw new Refusal(found.error)
    const [{ url, sha512 }] = found.value.files
    return { ...found.value, path: url, sha512 }
  }

  override resolveFiles({ files: [info] }: OwnInfo): ResolvedUpdateFileInfo[] {
    return [{ url: new URL(info.url, this.#options.address), info }]
  }

  /** Omits the library's headers, which would identify this installation. */
  override setRequestHeaders(): void {
    // Requests have no such headers.
  }
}

const classes = { appimage: AppImageUpdater, nsis: NsisUpdater, 'mac-zip': MacUpdater }

/** Opens the library for one kind of package. Its only automatic action is to pass downloads to Squirrel on a Mac. */
export function openLibrary(options: LibraryOptions): AppUpdater {
  const { kind, directory, executor, app, isAsked } = options
  const library = new classes[kind](undefined, app)
  Object.assign(library, {
    logger: null,
    autoDownload: false,
    // Squirrel installs when the app ends; we start all other installers.
    autoInstallOnAppQuit: kind === 'mac-zip',
    disableWebInstaller: true,
    // A differential download would assemble parts that were not signed.
    disableDifferentialDownload: true,
    httpExecutor: executor,
    // Otherwise the library would read app-update.yml, which no package contains.
    downloadedUpdateHelper: new DownloadedUpdateHelper(directory),
  })
  const isTurn = library.isUserWithinRollout
  library.isUserWithinRollout = (info) => isAsked() || isTurn(info)
  library.setFeedURL({
    provider: 'custom',
    updateProvider: class extends SignedProvider {
      constructor(_: unknown, _updater: unknown, runtime: ProviderRuntimeOptions) {
        super(options, runtime)
      }
    },
  })
  return library
}

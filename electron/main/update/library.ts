/** electron-updater, held to signed feeds, a folder of our own and bounded requests. */
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
  /** Absolute, for this account only; packages are in `pending` below it. */
  readonly directory: string
  /** The folder of the packages. */
  readonly address: URL
  /** The feed that counts, if any. */
  readonly look: () => Promise<Result<Feed, UpdateError>>
  /** True: the version is brought to this installation whatever share of all has its turn. */
  readonly isAsked: () => boolean
  readonly executor: ElectronHttpExecutor
  /** The library's view of the app; Electron's by default. */
  readonly app?: AppAdapter
}

/** A feed in the library's terms; two of them are deprecated there, and never read. */
type OwnInfo = Feed & { readonly path: string; readonly sha512: string }

/** Gives the library no feed but one that `look` lets through. */
class SignedProvider extends Provider<OwnInfo> {
  readonly #options: LibraryOptions

  constructor(own: LibraryOptions, runtime: ProviderRuntimeOptions) {
    super(runtime)
    this.#options = own
  }

  override async getLatestVersion(): Promise<OwnInfo> {
    const found = await this.#options.look()
    if (!found.ok) throw new Refusal(found.error)
    const [{ url, sha512 }] = found.value.files
    return { ...found.value, path: url, sha512 }
  }

  override resolveFiles({ files: [info] }: OwnInfo): ResolvedUpdateFileInfo[] {
    return [{ url: new URL(info.url, this.#options.address), info }]
  }

  /** These would name this installation. */
  override setRequestHeaders(): void {
    // No request has any.
  }
}

const classes = { appimage: AppImageUpdater, nsis: NsisUpdater, 'mac-zip': MacUpdater }

/** The library for one kind of package. It does nothing by itself but give a Mac's Squirrel what was downloaded. */
export function openLibrary(options: LibraryOptions): AppUpdater {
  const { kind, directory, executor, app, isAsked } = options
  const library = new classes[kind](undefined, app)
  Object.assign(library, {
    logger: null,
    autoDownload: false,
    // Squirrel installs at the app's end; whatever else is installed then, we start.
    autoInstallOnAppQuit: kind === 'mac-zip',
    disableWebInstaller: true,
    // Parts of a file would be put together that nobody has signed.
    disableDifferentialDownload: true,
    httpExecutor: executor,
    // Without this it would read app-update.yml, which no package has.
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
